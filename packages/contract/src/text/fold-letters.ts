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
