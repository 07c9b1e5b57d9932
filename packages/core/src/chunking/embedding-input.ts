/** The most tokens of the title, and of the previous chunk, that are embedded with a chunk. */
export const TITLE_TOKENS = 30;
export const OVERLAP_TOKENS = 30;

type CountTokens = (text: string) => number;

/**
 * The text that is embedded for a chunk: the memory's title, the end of the previous chunk, the chunk. The overlap
 * makes a passage that crosses the boundary findable. It is added here and not stored, so that the stored chunks
 * partition the text.
 *
 * @example
 * embeddingInput({ title: 'Tea', previous: null, text: 'Steep it.' }, countTokens); // 'Tea\nSteep it.'
 */
export function embeddingInput(
  chunk: { title: string; previous: string | null; text: string },
  countTokens: CountTokens,
): string {
  const title = firstWords(chunk.title, TITLE_TOKENS, countTokens);
  const overlap = chunk.previous === null ? '' : lastWords(chunk.previous, OVERLAP_TOKENS, countTokens);
  const body = `${overlap}${chunk.text}`.trim();
  return body.startsWith(title) ? body : `${title}\n${body}`;
}

function firstWords(text: string, tokens: number, countTokens: CountTokens): string {
  return take(text.slice(0, tokens * 12).match(/\S+\s*/g) ?? [], tokens, countTokens)
    .join('')
    .trim();
}

function lastWords(text: string, tokens: number, countTokens: CountTokens): string {
  const words = text.slice(-tokens * 12).match(/\s*\S+|\s+$/g) ?? [];
  return take(words.reverse(), tokens, countTokens).reverse().join('');
}

function take(words: readonly string[], tokens: number, countTokens: CountTokens): string[] {
  const lines: string[] = [];
  let left = tokens;
  for (const word of words) {
    left -= countTokens(word);
    if (left < 0) break;
    lines.push(word);
  }
  return lines;
}
