/** Scripts that are written without spaces between words. */
const WITHOUT_SPACES = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];

/** The space of Korean separates phrases, in which particles are joined to words. */
const BY_CHARACTER = [...WITHOUT_SPACES, 'Hangul'];

const classOf = (scripts: readonly string[]) => `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`;

/** Matches a letter of a script that is written without spaces, where a run of letters can be many words. */
export const unspacedLetter = new RegExp(classOf(WITHOUT_SPACES), 'u');

/** Matches a letter of a script in which words are found as parts of a run of letters. */
export const searchedLetter = new RegExp(classOf(BY_CHARACTER), 'u');

/** All such letters, with their marks: the full-text index has each as a word. */
export const searchedLetters = new RegExp(`${classOf(BY_CHARACTER)}\\p{M}*`, 'gu');
/** Letters that are written otherwise on keyboards without them, and that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  œ: 'oe',
  Œ: 'OE',
  æ: 'ae',
  Æ: 'AE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
};
const FOLDED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * Replaces letters that many people cannot type. Accents stay: Unicode's decomposition tells them from their letters.
 *
 * @example
 * foldLetters('Straßenreinigung in Łódź'); // 'Strassenreinigung in Lódź'
 */
export function foldLetters(text: string): string {
  return text.replace(FOLDED, (letter) => LETTERS[letter] ?? letter);
}

/**
 * Accents, and the vowel points of Hebrew and Arabic, which people write or leave out. Other marks are parts of
 * letters, such as the vowels of Thai and the voicing of Japanese.
 */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g;
/**
 * A character class of invisible characters within words, such as the soft hyphen,
 * and of the line that lengthens Arabic words.
 */
export const unseenInWords = '\\u00ad\\u0640\\u200b-\\u200d\\u2060\\ufeff';
const UNSEEN = new RegExp(`[${unseenInWords}]`, 'g');
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ASCII = /^[\u0000-\u007f]*$/;

/** Whether a text has only characters of ASCII: few patterns of other scripts must be looked for in it. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/**
 * A text in the letters by which its words are found:
 * without accents and invisible characters, in letters that everyone can type.
 *
 * @example
 * plainLetters('Ещё зелёная, Łódź, Donau\u00addampfer'); // 'Еще зеленая, Lodz, Donaudampfer'
 */
export function plainLetters(text: string): string {
  // Most words are plain already, and folding them all would take longer than a search.
  if (isAscii(text)) return text;
  return foldLetters(text.normalize('NFKD')).replace(ACCENTS, '').replace(UNSEEN, '').normalize('NFC');
}

/**
 * A value of JSON without half characters: a page's scripts can make a text with one half of a surrogate pair, which
 * UTF-8 cannot represent and no store keeps. U+FFFD takes its place, as in a text that is converted to UTF-8.
 */
export function wellFormed<Value>(value: Value): Value {
  if (typeof value === 'string') return value.toWellFormed() as Value;
  if (Array.isArray(value)) return value.map(wellFormed) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key.toWellFormed(), wellFormed(part)]),
  ) as Value;
}

/** The nearest place at or before `at` that does not split a surrogate pair; at most the end of the text. */
export function wholeBoundary(text: string, at: number): number {
  const place = Math.min(at, text.length);
  return place > 0 && isLowSurrogate(text, place) && isHighSurrogate(text, place - 1) ? place - 1 : place;
}

/** A part of a text that neither begins nor ends within a surrogate pair. Half a pair at either end is left out. */
export function sliceText(text: string, start: number, end: number): string {
  return text.slice(isLowSurrogate(text, start) ? start + 1 : start, isLowSurrogate(text, end) ? end - 1 : end);
}

/** A text of at most `length` UTF-16 code units, with an ellipsis if it was cut. */
export function clipText(text: string, length: number): string {
  return text.length <= length ? text : `${sliceText(text, 0, length - 1)}…`;
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}
