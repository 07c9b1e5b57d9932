/** Kana, Bopomofo, and Latin letters with the accents of Pinyin: how the characters before them are read. */
const READING =
  /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}ー・ˊˇˋ˙\s]+$|^[\p{Script=Latin}\p{M}\s]*[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ]/u;

/**
 * Leaves out how characters are read, which is within their sentence and not part of it. Other annotations are put in
 * brackets.
 */
export function readRuby(root: ParentNode): void {
  for (const mark of root.querySelectorAll('ruby rp')) mark.remove();
  for (const annotation of root.querySelectorAll('ruby rt')) {
    const text = (annotation.textContent ?? '').trim();
    if (text === '' || READING.test(text)) annotation.remove();
    else annotation.replaceWith(` (${text})`);
  }
  const parents = new Set<Node>();
  // Converters put spaces around elements that they do not know.
  for (const ruby of root.querySelectorAll('ruby')) {
    if (ruby.parentNode !== null) parents.add(ruby.parentNode);
    ruby.replaceWith(ruby.textContent ?? '');
  }
  for (const parent of parents) parent.normalize();
}
