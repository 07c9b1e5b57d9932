import type { ChunkSizes } from './chunk-sizes.js';
import { measureText, type Piece } from './measure-text.js';

/**
 * Splits a text into chunks of at most `maximum` tokens and of about equal size: at the ends of sentences where possible, else at
 * words, else between two characters. Joining the chunks gives the text.
 *
 * @example
 * const chunks = await splitIntoChunks(text, chunkSizesFor(embeddingModel));
 */
export async function splitIntoChunks(text: string, sizes: ChunkSizes): Promise<string[]> {
  return joinIntoChunks(await measureText(text, sizes), sizes);
}

/** Joins pieces into chunks. Takes no time to speak of, so it may be called in a transaction. */
export function joinIntoChunks(pieces: readonly Piece[], sizes: ChunkSizes): string[] {
  const total = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  if (total <= sizes.maximum) return [pieces.map(({ text }) => text).join('')];
  const share = total / Math.ceil(total / sizes.target);
  const chunks: string[] = [];
  let chunk = '';
  let tokens = 0;
  for (const piece of pieces) {
    const startsSection = /^#{1,6} /.test(piece.text) && tokens > share / 2;
    const isFull = tokens + piece.tokens / 2 > share || tokens + piece.tokens > sizes.maximum;
    if (chunk !== '' && (isFull || startsSection)) {
      chunks.push(chunk);
      chunk = '';
      tokens = 0;
    }
    chunk += piece.text;
    tokens += piece.tokens;
  }
  // A chunk of only white space could never be found.
  if (chunk.trim() === '' && chunks.length > 0) chunks[chunks.length - 1] += chunk;
  else chunks.push(chunk);
  return chunks;
}
