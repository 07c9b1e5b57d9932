import type { Capture, CaptureAnswer, CaptureResult, Imported } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../core-ports.js';
import { LeaseLostError, RecollectError } from '../error.js';
import { embedChunks } from '../indexing/embed-chunks.js';
import { draftIndexing, noteFailedEmbedding } from '../indexing/indexing-draft.js';
import type { NewMemory } from '../memory.js';
import type { IndexingDraft, InsertPlan, Lease, PendingChunk, SavedMemory } from '../ports/index.js';
import { sha256 } from './hash.js';
import { inCapture } from './in-capture.js';
import { normaliseCapture } from './normalise-capture.js';

export interface CaptureOptions {
  /** A retry with the same key and captures gets the first answer (CAP-8). */
  idempotencyKey?: string;
  /** Whether plugins are told of it; true when missing. */
  setsOffHooks?: boolean;
  /** The lease that a plugin saves under; {@link LeaseLostError} when it is lost. */
  under?: Lease;
  /** Ends the making of embeddings, which is EMBEDDING_FAILED; what is saved stays. */
  signal?: AbortSignal;
}

export interface CaptureOutcome {
  answer: CaptureAnswer;
  /** Whether the answer is that of an earlier request with the same key. */
  replayed: boolean;
}

export type CaptureVerb = (
  userId: string,
  captures: readonly (Capture | null)[],
  options?: CaptureOptions,
) => Promise<CaptureOutcome>;

/**
 * Saves captures as memories: all of them or, with an error, none; pointers of its field errors begin with the position
 * of the capture. Embeddings are made after the commit; when the model
 * fails, EMBEDDING_FAILED says so and carries what was saved, and an indexing job makes them later.
 */
export function createCapture(ports: CorePorts): CaptureVerb {
  // Retries that arrive while the first request is still at work share its outcome.
  const running = new Map<string, { requestHash: string; outcome: Promise<CaptureOutcome> }>();

  return async (userId, captures, { idempotencyKey: key, ...options } = {}) => {
    if (key === undefined) return save(ports, userId, captures, undefined, options);
    const requestHash = await sha256(JSON.stringify(captures));
    const name = `${userId}\n${key}`;
    const earlier = running.get(name);
    if (earlier !== undefined) {
      checkSameRequest(earlier.requestHash, requestHash);
      return { ...(await earlier.outcome), replayed: true };
    }
    const outcome = replayOrSave(ports, userId, captures, { key, requestHash }, options);
    running.set(name, { requestHash, outcome });
    try {
      return await outcome;
    } finally {
      running.delete(name);
    }
  };
}

async function replayOrSave(
  ports: CorePorts,
  userId: string,
  captures: readonly (Capture | null)[],
  retry: { key: string; requestHash: string },
  options: Omit<CaptureOptions, 'idempotencyKey'>,
): Promise<CaptureOutcome> {
  const stored = await guardStorage(() => ports.memories.findAnswer(userId, retry.key));
  if (stored === null) return save(ports, userId, captures, retry, options);
  checkSameRequest(stored.requestHash, retry.requestHash);
  return { answer: stored.answer as CaptureAnswer, replayed: true };
}

async function save(
  ports: CorePorts,
  userId: string,
  captures: readonly (Capture | null)[],
  retry: { key: string; requestHash: string } | undefined,
  { setsOffHooks = true, under, signal }: Omit<CaptureOptions, 'idempotencyKey'>,
): Promise<CaptureOutcome> {
  const memories = await normaliseAll(ports, captures);
  signal?.throwIfAborted();
  const plan: InsertPlan = {
    now: ports.clock.now(),
    indexing: (saved) => indexingOf(ports, saved),
    // Until the embeddings are made this is what is known, and what a retry after a crash gets.
    ...(retry === undefined ? {} : { replay: { ...retry, answer: (saved, hooks) => answerOf(saved, 0, hooks) } }),
    setsOffHooks,
    ...(under === undefined ? {} : { under }),
  };
  const inserted = await guardStorage(() => ports.memories.insert(userId, memories, plan));
  if ('replayed' in inserted) {
    checkSameRequest(inserted.replayed.requestHash, retry?.requestHash);
    return { answer: inserted.replayed.answer as CaptureAnswer, replayed: true };
  }
  const { saved, hooksTriggered, indexingJobId: jobId } = inserted;
  const chunks = saved.flatMap(({ added }) => added);
  if (!isEmbeddedInline(ports, chunks.length)) return { answer: answerOf(saved, 0, hooksTriggered), replayed: false };
  const embedded = await embedInline(ports, userId, chunks, {
    saved: answerOf(saved, 0, hooksTriggered),
    jobId,
    ended: signal,
  });
  const answer = answerOf(saved, embedded, hooksTriggered);
  // The captures are saved; a retry would get the first answer, which counts no embeddings.
  if (retry !== undefined) await ports.memories.updateAnswer(userId, retry.key, answer).catch(() => {});
  return { answer, replayed: false };
}

async function normaliseAll(ports: CorePorts, captures: readonly (Capture | null)[]): Promise<NewMemory[]> {
  const now = ports.clock.now();
  const memories: NewMemory[] = [];
  const empty: number[] = [];
  for (const [index, capture] of captures.entries()) {
    const memory = capture === null ? null : await normaliseAt(ports, capture, index, captures.length > 1, now);
    if (memory === null) empty.push(index);
    else memories.push(memory);
  }
  if (memories.length === 0) {
    throw new RecollectError(
      'CAPTURE_EMPTY',
      'There is nothing to save: send text as selection, pageText or messages, or a page as html.',
    );
  }
  if (empty.length > 0) {
    throw new RecollectError(
      'CAPTURE_EMPTY',
      `Nothing was saved: the captures at these positions have no text: ${empty.join(', ')}. Leave them out or fill them.`,
      { errors: empty.map((index) => ({ pointer: `/${index}`, message: 'has no text' })) },
    );
  }
  return memories;
}

async function normaliseAt(
  ports: CorePorts,
  capture: Capture,
  index: number,
  isOneOfMany: boolean,
  now: Date,
): Promise<NewMemory | null> {
  try {
    return await normaliseCapture(capture, { extractor: ports.articleExtractor, now, sequence: index });
  } catch (error) {
    throw error instanceof RecollectError ? inCapture(error, index, isOneOfMany) : error;
  }
}

/** The job for the embeddings of what is saved; null when nothing was added. */
function indexingOf(ports: CorePorts, saved: readonly SavedMemory[]): IndexingDraft | null {
  const chunks = countChunks(saved);
  return chunks === 0 ? null : draftIndexing(ports, { isInline: isEmbeddedInline(ports, chunks) });
}

/** Whether the embeddings of so many chunks are made before the answer (CAP-9). */
function isEmbeddedInline({ embeddingModel }: CorePorts, chunks: number): boolean {
  return embeddingModel !== null && chunks > 0 && chunks <= limits.capture.inlineChunks;
}

async function embedInline(
  ports: CorePorts,
  userId: string,
  chunks: readonly PendingChunk[],
  { saved, jobId, ended }: { saved: CaptureAnswer; jobId: string | null; ended: AbortSignal | undefined },
): Promise<number> {
  const { embeddingModel, vectorIndex } = ports;
  if (embeddingModel === null) return 0;
  const timeLimit = AbortSignal.timeout(limits.capture.inlineEmbeddingMs);
  const signal = ended === undefined ? timeLimit : AbortSignal.any([timeLimit, ended]);
  try {
    return await embedChunks({ embeddingModel, vectorIndex }, userId, chunks, { signal, jobId });
  } catch (cause) {
    const isOfModel = cause instanceof RecollectError && cause.code === 'EMBEDDING_FAILED';
    const reason = isOfModel ? cause.message : 'The embeddings could not be stored.';
    await noteFailedEmbedding(ports, userId, reason);
    throw new RecollectError(
      'EMBEDDING_FAILED',
      `${reason} The captures are saved and found by word; their embeddings are made later, by an indexing job.`,
      { cause, extension: { saved: true, ...saved } },
    );
  }
}

function answerOf(saved: readonly SavedMemory[], embedded: number, hooksTriggered: number): CaptureAnswer {
  const chunks = countChunks(saved);
  const imported: Imported = {
    documents: saved.filter(({ status }) => status === 'created').length,
    chunks,
    embedded,
    embeddingsSkipped: embedded < chunks,
  };
  const captures = saved.map(({ added: _, ...result }): CaptureResult => result);
  return { imported, captures, hooksTriggered };
}

function countChunks(saved: readonly SavedMemory[]): number {
  return saved.reduce((sum, { added }) => sum + added.length, 0);
}

function checkSameRequest(first: string, now: string | undefined): void {
  if (first === now) return;
  throw new RecollectError(
    'IDEMPOTENCY_MISMATCH',
    'This Idempotency-Key was sent before with another body. Send a new key for a new request.',
  );
}

async function guardStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof RecollectError || cause instanceof LeaseLostError) throw cause;
    throw new RecollectError('IMPORT_FAILED', 'The captures could not be stored, and nothing was saved. Try again.', {
      cause,
    });
  }
}
