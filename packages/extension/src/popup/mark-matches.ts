export interface Piece {
  text: string;
  isMatch: boolean;
}

/** Characters that words of different forms must share at the least. */
const STEM = 4;

/** An excerpt in pieces, those apart that match a word of the query: the word itself, its beginning, or another form of it. */
export function markMatches(excerpt: string, query: string): Piece[] {
  const wanted = wordsOf(query.replace(/\b(site|source|tag|before|after):\S+/g, ' ')).map(fold);
  const pieces: Piece[] = [];
  const add = (text: string, isMatch: boolean) => {
    const last = pieces.at(-1);
    if (text === '') return;
    if (last?.isMatch === isMatch) last.text += text;
    else pieces.push({ text, isMatch });
  };
  let end = 0;
  for (const { 0: word, index } of excerpt.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    add(excerpt.slice(end, index), false);
    add(
      word,
      wanted.some((query) => isForm(fold(word), query)),
    );
    end = index + word.length;
  }
  add(excerpt.slice(end), false);
  return pieces;
}

export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function fold(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function isForm(word: string, query: string): boolean {
  if (word.startsWith(query)) return true;
  // Without spaces between them, words stand within a run of letters.
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(query)) return word.includes(query);
  const stem = Math.max(STEM, query.length - 3);
  return (
    query.length >= STEM &&
    word.length >= STEM &&
    word.slice(0, stem) === query.slice(0, stem) &&
    word.length <= query.length + 3
  );
}
