import { limits } from '@recollect/contract/limits';
import { embeddingInput } from '../chunking/embedding-input.js';
import { RecollectError, TextRejectedError } from '../error.js';
import type { ChunkEmbedding, EmbeddingModel, EmbedOptions, MemoryStore, PendingChunk } from '../ports/index.js';
import { recordSpeed } from './indexing-status.js';

/** Chunks whose embeddings are stored together. A killed process loses at most one group. */
const CHUNKS_PER_GROUP = 32;

export interface EmbedChunksOptions {
  signal?: AbortSignal | undefined;
  mayStore?: (() => boolean) | undefined;
  onStored?: ((chunks: number) => void) | undefined;
  /** The indexing job that was recorded with the chunks. */
  jobId?: string | null | undefined;
  /** As for the model. */
  isBacklog?: boolean | undefined;
  /**
   * Called for each chunk that the model rejects, while the others are embedded. Without it, a rejected chunk is thrown
   * once the others are stored.
   */
  onRejected?: ((chunk: PendingChunk, reason: string) => void) | undefined;
  /** Waits after a group that took so many milliseconds, for work that leaves the machine to others. */
  rest?: ((worked: number) => Promise<void>) | undefined;
}

/**
 * Embeds chunks and stores the embeddings, a group at a time. The next group is embedded while one is stored. Must not
 * be called inside a transaction. Stops early once `mayStore` returns false before a group is stored. Takes the
 * memories off the job `jobId` with the last group. Returns the number of chunks that were sent. Throws
 * EMBEDDING_FAILED if the model fails.
 */
export async function embedChunks(
  { embeddingModel, memories }: { embeddingModel: EmbeddingModel; memories: Pick<MemoryStore, 'saveEmbeddings'> },
  userId: string,
  chunks: readonly PendingChunk[],
  { signal, mayStore, onStored, onRejected, jobId, isBacklog, rest }: EmbedChunksOptions = {},
): Promise<number> {
  const memoryCount = new Set(chunks.map(({ memoryId }) => memoryId)).size;
  const stopping = new AbortController();
  const ended = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
  const embedGroup = async (at: number) => {
    const group = chunks.slice(at, at + CHUNKS_PER_GROUP);
    const begin = performance.now();
    const inputs = group.map((chunk) => embeddingInput(chunk, embeddingModel.profile.countTokens));
    const embedded = await embedAccepted(embeddingModel, inputs, { signal: ended, isBacklog });
    return { group, embedded, worked: performance.now() - begin };
  };
  if (chunks.length === 0) return 0;
  let count = 0;
  let rejection: TextRejectedError | null = null;
  let next = embedGroup(0);
  try {
    for (let at = 0; at < chunks.length; at += CHUNKS_PER_GROUP) {
      const begin = performance.now();
      const { group, embedded, worked } = await next.catch((cause) => {
        const isRetryable = !(cause instanceof RecollectError) || cause.isRetryable;
        throw new RecollectError('EMBEDDING_FAILED', reasonOf(cause), { cause, isRetryable });
      });
      if (mayStore?.() === false) return count;
      const isLast = at + CHUNKS_PER_GROUP >= chunks.length;
      if (!isLast) {
        next = Promise.resolve(rest?.(worked)).then(() => embedGroup(at + CHUNKS_PER_GROUP));
        // It fails where it is awaited.
        next.catch(() => {});
      }
      const embeddings = group.flatMap(({ chunkId, title }, index): ChunkEmbedding[] => {
        const embedding = embedded[index];
        return embedding === undefined || embedding instanceof TextRejectedError
          ? []
          : [{ chunkId, title, ...embedding }];
      });
      for (const [index, outcome] of embedded.entries()) {
        const chunk = group[index];
        if (chunk === undefined || !(outcome instanceof TextRejectedError)) continue;
        onRejected?.(chunk, outcome.message);
        rejection ??= outcome;
      }
      const settles = isLast && jobId != null && rejection === null ? { jobId, memories: memoryCount } : null;
      await memories.saveEmbeddings(userId, embeddingModel.id, embeddings, settles);
      recordSpeed(embeddingModel, group.length, performance.now() - begin);
      count += group.length;
      onStored?.(group.length);
    }
    if (rejection !== null && onRejected === undefined) throw rejection;
    return count;
  } finally {
    stopping.abort();
  }
}

type Embedding = Pick<ChunkEmbedding, 'vector' | 'passage'>;

/**
 * Embeds texts. If the model rejects a batch, halves it until the rejected text is isolated. That text gets the error,
 * and the others their embeddings.
 */
async function embedAccepted(
  model: EmbeddingModel,
  texts: readonly string[],
  options: Omit<EmbedOptions, 'purpose'>,
): Promise<(Embedding | TextRejectedError)[]> {
  try {
    return await embedDocuments(model, texts, options);
  } catch (error) {
    if (!(error instanceof TextRejectedError)) throw error;
    if (texts.length === 1) return [error];
    const middle = Math.ceil(texts.length / 2);
    const first = await embedAccepted(model, texts.slice(0, middle), options);
    return [...first, ...(await embedAccepted(model, texts.slice(middle), options))];
  }
}

/** Embeds texts, with passage vectors where the model gives them. */
async function embedDocuments(
  model: EmbeddingModel,
  texts: readonly string[],
  options: Omit<EmbedOptions, 'purpose'>,
): Promise<Embedding[]> {
  if (model.late === undefined) {
    const vectors = await model.embed(texts, { ...options, purpose: 'document' });
    return vectors.map((vector) => ({ vector, passage: null }));
  }
  const passages = await model.late.embedPassages(texts, options);
  return passages.map(({ vector, signs }) => ({ vector, passage: signs }));
}

function reasonOf(cause: unknown): string {
  if (cause instanceof RecollectError) return cause.message;
  return cause instanceof Error && cause.name === 'TimeoutError'
    ? 'The embedding model timed out.'
    : 'The embedding model failed.';
}

/** Chunks that wait for a model in requests, in this process. */
const waiting = new WeakMap<EmbeddingModel, number>();

/**
 * Takes a turn to embed chunks before a request is answered. Null if they are too many, or if so many of other requests
 * wait for the model that this one would wait for long: an indexing job then embeds them. The caller ends the turn.
 *
 * @example
 * const endTurn = takeInlineTurn(embeddingModel, chunks.length);
 * if (endTurn !== null) await embedChunks(ports, userId, chunks).finally(endTurn);
 */
export function takeInlineTurn(model: EmbeddingModel, chunks: number): (() => void) | null {
  const others = waiting.get(model) ?? 0;
  const { inlineChunks, inlineWaiting } = limits.capture;
  if (chunks > inlineChunks || (others > 0 && others + chunks > inlineWaiting)) return null;
  waiting.set(model, others + chunks);
  let hasEnded = false;
  return () => {
    if (!hasEnded) waiting.set(model, (waiting.get(model) ?? 0) - chunks);
    hasEnded = true;
  };
}
