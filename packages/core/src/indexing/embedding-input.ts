import { estimateTokens } from '../capture/estimate-tokens.js';

const TITLE_TOKENS = 30;
const OVERLAP_TOKENS = 30;

/**
 * What is embedded for a chunk: the memory's title, the end of the chunk before, the chunk. The overlap keeps a thought
 * that runs over the cut findable; storing it once and adding it here keeps the stored chunks a partition of the text.
 */
export function embeddingInput(chunk: { title: string; previous: string | null; text: string }): string {
  const title = firstWords(chunk.title, TITLE_TOKENS);
  const overlap = chunk.previous === null ? '' : lastWords(chunk.previous, OVERLAP_TOKENS);
  const body = `${overlap}${chunk.text}`.trim();
  return body.startsWith(title) ? body : `${title}\n${body}`;
}

function firstWords(text: string, tokens: number): string {
  return take(text.slice(0, tokens * 12).match(/\S+\s*/g) ?? [], tokens)
    .join('')
    .trim();
}

function lastWords(text: string, tokens: number): string {
  const words = text.slice(-tokens * 12).match(/\s*\S+|\s+$/g) ?? [];
  return take(words.reverse(), tokens).reverse().join('');
}

function take(words: readonly string[], tokens: number): string[] {
  const taken: string[] = [];
  let left = tokens;
  for (const word of words) {
    left -= estimateTokens(word);
    if (left < 0) break;
    taken.push(word);
  }
  return taken;
}
