import type { Capture, CaptureAnswer, CaptureResult, Imported } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import { embedChunks, takeInlineTurn } from '../indexing/embed-chunks.js';
import { draftIndexing, recordFailedEmbedding } from '../indexing/indexing-draft.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { EmbeddingModel, Lease, MemoryStore, PendingChunk, SavedMemory } from '../ports/index.js';
import { sha256 } from '../text/bytes.js';
import { applyTitles } from './apply-titles.js';
import {
  guardStorage,
  type Prepared,
  type PrepareOptions,
  type PreparePorts,
  prepareDrafts,
} from './prepare-drafts.js';
import { type SharedWork, shareWork } from './share-work.js';

export type CapturePorts = PreparePorts & Pick<CorePorts, 'indexingJobs'>;

export interface CaptureOptions extends PrepareOptions {
  /** A retry with the same key and captures gets the first answer (CAP-8). */
  idempotencyKey?: string | undefined;
  /** Whether plugins are notified; true by default. */
  triggersHooks?: boolean | undefined;
  /** The lease that a plugin saves under. Throws {@link LeaseLostError} if it is lost. */
  lease?: Lease | undefined;
  /** Leaves the embeddings to an indexing job, for many captures at once. */
  embedsLater?: boolean | undefined;
  /** Stops the embedding, whose state is then `queued`. Saved memories stay saved. */
  signal?: AbortSignal | undefined;
}

/**
 * The embeddings of the saved memories. `done`: nothing is left to embed. `queued`: an indexing job makes them.
 * `failed`: the model or the store failed, and the job makes them later.
 */
export type EmbeddingState = 'done' | 'queued' | 'failed';

export interface CaptureOutcome {
  answer: CaptureAnswer;
  embedding: EmbeddingState;
  /** Why the embedding failed: a sentence for the user, and the error for a log. Null if it did not fail. */
  failure: { reason: string; cause: unknown } | null;
  /** Whether this is the answer to an earlier request with the same key. */
  replayed: boolean;
  /** The positions of captures that were left in the trash. The answer has the others. */
  inTrash: readonly number[];
}

export type CaptureUseCase = (
  userId: string,
  captures: readonly (Capture | null)[],
  options?: CaptureOptions,
) => Promise<CaptureOutcome>;

type SaveOptions = Omit<CaptureOptions, 'idempotencyKey'>;
type Retry = { key: string; requestHash: string };

/**
 * Makes the use case that saves captures as memories: all of them, or none if it throws. Pointers of field errors start
 * with the position of the capture. Embeddings are made after the commit, so their failure is a state of the outcome
 * and not an error.
 *
 * @example
 * const capture = createCapture({ ...storage, embeddingModel, articleExtractor: null, clock: systemClock });
 * const { answer, embedding } = await capture('local', [{ pageText: 'Green tea is best steeped below boiling.' }]);
 */
export function createCapture(ports: CapturePorts): CaptureUseCase {
  // Retries that arrive while the first request is being processed share its outcome.
  const running = new Map<string, { requestHash: string; work: SharedWork<CaptureOutcome> }>();

  return async (userId, captures, { idempotencyKey: key, ...options } = {}) => {
    if (key === undefined) return save(ports, userId, captures, undefined, options);
    const requestHash = await sha256(JSON.stringify(captures));
    const name = `${userId}\n${key}`;
    const earlier = running.get(name);
    if (earlier !== undefined) {
      checkSameRequest(earlier.requestHash, requestHash);
      return { ...(await earlier.work.join(options.signal)), replayed: true };
    }
    const work = shareWork((signal) =>
      replayOrSave(ports, userId, captures, { key, requestHash }, { ...options, signal }).finally(() =>
        running.delete(name),
      ),
    );
    running.set(name, { requestHash, work });
    return work.join(options.signal);
  };
}

async function replayOrSave(
  ports: CapturePorts,
  userId: string,
  captures: readonly (Capture | null)[],
  retry: Retry,
  options: SaveOptions,
): Promise<CaptureOutcome> {
  const stored = await guardStorage(() => ports.memories.findAnswer(userId, retry.key));
  if (stored === null) return save(ports, userId, captures, retry, options);
  checkSameRequest(stored.requestHash, retry.requestHash);
  const { answer, ...outcome } = replay(stored.answer as CaptureAnswer);
  // A crash may have come between the capture and the title that the user chose for a known memory.
  const titled = await applyTitles(ports, userId, captures, answer.captures, options.actor ?? null, { isRetry: true });
  return { answer: { ...answer, captures: titled }, ...outcome };
}

/** Saves captures in steps: prepares drafts, stores them in one transaction, applies own titles, and embeds. */
async function save(
  ports: CapturePorts,
  userId: string,
  captures: readonly (Capture | null)[],
  retry: Retry | undefined,
  options: SaveOptions,
): Promise<CaptureOutcome> {
  const { embedsLater = false, actor = null, signal } = options;
  const prepared = await prepareDrafts(ports, userId, captures, options);
  const { drafts, warnings, inTrash } = prepared;
  if (drafts.length === 0)
    return { answer: answerOf([], 0, 0, warnings), ...NOTHING_TO_EMBED, replayed: false, inTrash };
  signal?.throwIfAborted();
  const turn = createInlineTurn(embedsLater ? null : ports.embeddingModel);
  try {
    const stored = await store(ports, userId, prepared, { ...options, retry, turn });
    if ('replayed' in stored) {
      checkSameRequest(stored.replayed.requestHash, retry?.requestHash);
      return replay(stored.replayed.answer as CaptureAnswer);
    }
    const { hooksTriggered, indexingJobId: jobId } = stored;
    const saved = await applyTitles(ports, userId, prepared.captures, stored.saved, actor, {
      changeId: options.importId,
    });
    const chunks = saved.flatMap(({ added }) => added);
    const outcome = await embedInline(ports, userId, chunks, { jobId, ended: signal, turn });
    const embedded = outcome.embedding === 'done' ? chunks.length : 0;
    const answer = answerOf(saved, embedded, hooksTriggered, warnings);
    // The captures are saved. If this fails, a retry gets the first answer, which counts no embeddings and knows no new
    // titles.
    const isNews = embedded > 0 || saved.some((memory, at) => memory !== stored.saved[at]);
    if (retry !== undefined && isNews) await ports.memories.updateAnswer(userId, retry.key, answer).catch(() => {});
    return { answer, ...outcome, replayed: false, inTrash };
  } finally {
    turn.end();
  }
}

/** Stores the drafts in one transaction, with the indexing job, the events of plugins and the answer for retries. */
async function store(
  { memories, embeddingModel, clock }: CapturePorts,
  userId: string,
  { drafts, warnings }: Prepared,
  options: SaveOptions & { retry: Retry | undefined; turn: InlineTurn },
): ReturnType<MemoryStore['insert']> {
  const { triggersHooks = true, lease, actor = null, importId, retry, turn } = options;
  return guardStorage(() =>
    memories.insert(userId, drafts, {
      now: clock.now(),
      indexing: (saved) => {
        const count = countChunks(saved);
        const isInline = turn.take(count);
        return count === 0 ? null : draftIndexing({ embeddingModel, clock }, { isInline });
      },
      // The answer until the embeddings are made. A retry after a crash gets this one.
      replay: retry && { ...retry, answer: (saved, hooks) => answerOf(saved, 0, hooks, warnings) },
      // The plugins of a deployment are the local user's choice, which nobody else has agreed to.
      triggersHooks,
      lease,
      actor,
      importId,
    }),
  );
}

function replay(answer: CaptureAnswer): CaptureOutcome {
  return {
    answer,
    embedding: answer.imported.embeddingsSkipped ? 'queued' : 'done',
    failure: null,
    replayed: true,
    inTrash: [],
  };
}

type Embedding = Pick<CaptureOutcome, 'embedding' | 'failure'>;

const NOTHING_TO_EMBED: Embedding = { embedding: 'done', failure: null };

/** The turn of a capture to embed before it is answered. */
interface InlineTurn {
  /** Takes the turn for a number of chunks, instead of an earlier number. Returns whether it was free. */
  take(chunks: number): boolean;
  isTaken(): boolean;
  end(): void;
}

function createInlineTurn(model: EmbeddingModel | null): InlineTurn {
  let end: (() => void) | null = null;
  return {
    take(chunks) {
      end?.();
      end = model === null ? null : takeInlineTurn(model, chunks);
      return end !== null;
    },
    isTaken: () => end !== null,
    end: () => end?.(),
  };
}

/** Makes the embeddings of a capture before it is answered, if it has its turn (CAP-9). */
async function embedInline(
  ports: CapturePorts,
  userId: string,
  chunks: readonly PendingChunk[],
  { jobId, ended, turn }: { jobId: string | null; ended: AbortSignal | undefined; turn: InlineTurn },
): Promise<Embedding> {
  const { embeddingModel, memories } = ports;
  if (chunks.length === 0) return NOTHING_TO_EMBED;
  if (embeddingModel === null || !turn.isTaken()) return { embedding: 'queued', failure: null };
  const timeLimit = AbortSignal.timeout(limits.capture.inlineEmbeddingMs);
  const signal = ended === undefined ? timeLimit : AbortSignal.any([timeLimit, ended]);
  try {
    await embedChunks({ embeddingModel, memories }, userId, chunks, { signal, jobId });
    return { embedding: 'done', failure: null };
  } catch (cause) {
    // The model is slow, or the caller has gone away. Neither is a failure of the model: a runner takes up the job.
    if (signal.aborted) return { embedding: 'queued', failure: null };
    const isOfModel = cause instanceof RecollectError && cause.code === 'EMBEDDING_FAILED';
    const reason = isOfModel ? cause.message : 'The embeddings could not be stored.';
    await recordFailedEmbedding(ports, userId, reason);
    return { embedding: 'failed', failure: { reason, cause } };
  } finally {
    turn.end();
  }
}

function answerOf(
  saved: readonly SavedMemory[],
  embedded: number,
  hooksTriggered: number,
  warnings: readonly string[],
): CaptureAnswer {
  const chunks = countChunks(saved);
  const imported: Imported = {
    documents: saved.filter(({ status }) => status === 'created').length,
    chunks,
    embedded,
    embeddingsSkipped: embedded < chunks,
  };
  const captures = saved.map(
    ({ added: _, merged, ...result }): CaptureResult => ({
      ...result,
      ...(merged === undefined ? {} : { merged: [...merged] }),
    }),
  );
  return { imported, captures, hooksTriggered, ...(warnings.length === 0 ? {} : { warnings: [...warnings] }) };
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
