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
  const chunks: Piece[] = [];
  let chunk: Piece = { text: '', tokens: 0 };
  for (const { text, tokens } of pieces) {
    const startsSection = HEADING.test(text) && chunk.tokens > share / 2;
    const isFull = chunk.tokens + tokens / 2 > share || chunk.tokens + tokens > sizes.maximum;
    if (chunk.text !== '' && (isFull || startsSection)) {
      chunks.push(chunk);
      chunk = { text: '', tokens: 0 };
    }
    chunk = { text: chunk.text + text, tokens: chunk.tokens + tokens };
  }
  const last = chunks.at(-1);
  if (last !== undefined && isRest(chunk, last, share, sizes)) last.text += chunk.text;
  else chunks.push(chunk);
  return chunks.map(({ text }) => text);
}

/** Whether the remaining text belongs to the chunk before it: white space, or a few words with little meaning. */
function isRest({ text, tokens }: Piece, last: Piece, share: number, { maximum }: ChunkSizes): boolean {
  if (text.trim() === '') return true;
  return !HEADING.test(text) && tokens < share / 4 && last.tokens + tokens <= maximum;
}

const HEADING = /^#{1,6} /;
