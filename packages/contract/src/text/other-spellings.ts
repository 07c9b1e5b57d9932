/**
 * A word with apostrophes, such as `O'Brien`. Each of these begins where a word begins: from every letter of a long
 * word, it would take quadratic time.
 */
const WITH_APOSTROPHES = /(?<![\p{L}\p{M}])[\p{L}\p{M}]+(?:['’ʼ][\p{L}\p{M}]+)+/gu;
/**
 * A number with its digits in groups of three, such as `48,250`. Spaces are not separators here: they are as likely to
 * be between numbers. Also matches if letters or digits follow, which are captured to reject the match; otherwise the
 * search would restart at each group.
 */
const GROUPED = /(?<![\p{L}\p{N}])\d{1,3}([,.'’])\d{3}(?:\1\d{3})*(?:(?=([\p{L}\p{N}]|\1\d))|)/gu;
/** A word with capitals inside, such as `parseHTTPHeaders`. */
const WITH_CAPITALS = /(?<![\p{L}\p{N}])\p{L}*(?:\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll})[\p{L}\p{N}]*/gu;
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu;
/** A longer name is data. */
const MOST_PARTS = 6;

/** A part of a text, as people may spell it. */
export interface Spelling {
  word: string;
  /** Its place in the text, in UTF-16 code units. */
  start: number;
  end: number;
}

/**
 * Other spellings under which people look for words of a text: without apostrophes, numbers without separators, and the
 * parts of names in camel case, alone and joined.
 *
 * @example
 * otherSpellings("O'Brien paid 48,250"); // ['OBrien', '48250']
 * otherSpellings('parseHTTPHeaders'); // ['parse', 'parseHTTP', 'HTTP', 'HTTPHeaders', 'Headers']
 */
export function otherSpellings(text: string): string[] {
  return [...new Set(Array.from(spellingsIn(text), ({ word }) => word))];
}

/** The same, each with every place where it stands. */
export function* spellingsIn(text: string): Generator<Spelling> {
  for (const { 0: word, index: start } of find(WITH_APOSTROPHES, /['’ʼ]/, text))
    yield { word: word.replace(/['’ʼ]/g, ''), start, end: start + word.length };
  for (const { 0: number, 2: more, index: start } of find(GROUPED, /\d[,.'’]\d{3}/, text))
    if (more === undefined) yield { word: joinDigits(number), start, end: start + number.length };
  for (const { 0: name, index: start } of find(WITH_CAPITALS, /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u, text))
    yield* partsOf(name, start);
}

/**
 * The matches of a pattern. Most texts have none, and not even the sign of one, which takes a fraction of the time to
 * find.
 */
function find(pattern: RegExp, sign: RegExp, text: string): Iterable<RegExpExecArray> {
  return sign.test(text) ? text.matchAll(pattern) : [];
}

/**
 * Writes numbers without separators between groups of digits.
 *
 * @example
 * joinGroups('about 48,250 euros'); // 'about 48250 euros'
 */
export function joinGroups(text: string): string {
  return text.replace(GROUPED, (number, _, more?: string) => (more === undefined ? joinDigits(number) : number));
}

function joinDigits(number: string): string {
  return number.replace(/\D/g, '');
}

/** All runs of neighbouring parts but the whole. */
function* partsOf(name: string, at: number): Generator<Spelling> {
  const parts = [...name.matchAll(PARTS)];
  if (parts.length < 2 || parts.length > MOST_PARTS) return;
  for (const [first, { index: start }] of parts.entries())
    for (const [last, { 0: part, index }] of parts.entries()) {
      if (last < first || last - first + 1 === parts.length) continue;
      const end = index + part.length;
      yield { word: parts.slice(first, last + 1).join(''), start: at + start, end: at + end };
    }
}
