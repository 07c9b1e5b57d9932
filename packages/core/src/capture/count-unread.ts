/** Scripts with so many letters that each says about as much as a token. */
const DENSE = ['Han', 'Hiragana', 'Katakana', 'Hangul'];
/**
 * Letters of other scripts in a token: SentencePiece makes .31 to .37 tokens per letter of Russian, Ukrainian,
 * Macedonian and Greek.
 */
const LETTERS_PER_TOKEN = 3;

/**
 * Counts the tokens of a text as a model does, but words in scripts that it does not read by their letters. To a model
 * for English, each Russian letter is a token, so that a chunk of Russian would be two sentences. Full text finds more
 * in chunks of the usual size (docs/languages.md). Such a chunk may have more tokens than the model reads. Its vector
 * says nothing anyway, but where a text is in both kinds of scripts, it lacks the end of what the model could read.
 *
 * @param scripts that the model reads, by their Unicode names; null for all
 * @example
 * const count = countingUnread(['Latin'], countTokens);
 * count('Green tea'); // 2
 * count('Зелёный чай'); // 4
 */
export function countingUnread(
  scripts: readonly string[] | null,
  countTokens: (text: string) => number,
): (text: string) => number {
  if (scripts === null) return countTokens;
  const read = scripts.map((script) => `\\p{Script=${script}}`).join('');
  const letter = `[\\p{L}--[${read}]]`;
  const unread = new RegExp(`${letter}(?:${letter}|\\p{M})*`, 'gv');
  const dense = new RegExp(`[${DENSE.map((script) => `\\p{Script=${script}}`).join('')}]`, 'gu');
  return (text) => {
    // Most texts have no others.
    if (!/[^\0-\u024f\u2000-\u206f]/.test(text)) return countTokens(text);
    let tokens = 0;
    const rest = text.replace(unread, (word) => {
      const ofDense = word.match(dense)?.length ?? 0;
      tokens += ofDense + (word.length - ofDense) / LETTERS_PER_TOKEN;
      return ' ';
    });
    return Math.ceil(tokens) + countTokens(rest);
  };
}
