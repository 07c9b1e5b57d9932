import { foldLetters } from './fold-letters.js';

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
const PLAIN = /^[\u0000-\u007f]*$/;

/**
 * A text in the letters by which its words are found:
 * without accents and invisible characters, in letters that everyone can type.
 *
 * @example
 * plainLetters('Ещё зелёная, Łódź, Donau\u00addampfer'); // 'Еще зеленая, Lodz, Donaudampfer'
 */
export function plainLetters(text: string): string {
  // Most words are plain already, and folding them all would take longer than a search.
  if (PLAIN.test(text)) return text;
  return foldLetters(text.normalize('NFKD')).replace(ACCENTS, '').replace(UNSEEN, '').normalize('NFC');
}
