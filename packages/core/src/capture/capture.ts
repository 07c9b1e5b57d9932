import type { Actor, Capture, CaptureAnswer, CaptureResult, Imported } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { findDeleted, recogniseEdited, recogniseLinks, recogniseSamePages } from '../drafts/duplicates.js';
import { normaliseCaptures, spellTagsOf } from '../drafts/normalise-captures.js';
import { shortenTitles } from '../drafts/title.js';
import { LeaseLostError, RecollectError } from '../error.js';
import { embedChunks, takeInlineTurn } from '../indexing/embed-chunks.js';
import { draftIndexing, recordFailedEmbedding } from '../indexing/indexing-draft.js';
import type { Memory } from '../memory.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { Lease, PendingChunk, SavedMemory } from '../ports/index.js';
import { sha256 } from '../text/bytes.js';
import { applyTitles } from './apply-titles.js';
import { type SharedWork, shareWork } from './share-work.js';
export type CapturePorts = Pick<
  CorePorts,
  'memories' | 'indexingJobs' | 'embeddingModel' | 'articleExtractor' | 'clock'
> &
  Partial<Pick<CorePorts, 'readYaml'>>;

export interface CaptureOptions {
  /** A retry with the same key and captures gets the first answer (CAP-8). */
  idempotencyKey?: string | undefined;
  /** Whether plugins are notified; true by default. */
  triggersHooks?: boolean | undefined;
  /** The lease that a plugin saves under. Throws {@link LeaseLostError} if it is lost. */
  lease?: Lease | undefined;
  /** Leaves the embeddings to an indexing job, for many captures at once. */
  embedsLater?: boolean | undefined;
  /** Facts of an import about new memories, by the positions of the captures. */
  facts?: readonly ImportedFacts[] | undefined;
  /**
   * Whether these are items of an import, which may be repeated. Items in the trash are left there ({@link
   * CaptureOutcome.inTrash} lists them), and memories that were corrected since keep their text.
   */
  isImport?: boolean | undefined;
  /** The actor of the capture; null or missing if unknown. */
  actor?: Actor | null | undefined;
  /** Stops the embedding, whose state is then `queued`. Saved memories stay saved. */
  signal?: AbortSignal | undefined;
}

/** Whether an imported item was starred or read in another program, or is a link, and the time of its file. */
export interface ImportedFacts extends Partial<Pick<Memory, 'starred' | 'readState' | 'isLink'>> {
  /** ISO 8601 in UTC. It counts where neither the capture nor its text states a time. */
  changedAt?: string;
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

async function save(
  ports: CapturePorts,
  userId: string,
  captures: readonly (Capture | null)[],
  retry: Retry | undefined,
  { triggersHooks = true, embedsLater = false, isImport = false, facts = [], lease, actor = null, signal }: SaveOptions,
): Promise<CaptureOutcome> {
  const changedAt = facts.map((fact) => fact.changedAt);
  const normalised = await normaliseCaptures(ports, captures, { actor, changedAt });
  const { warnings } = normalised;
  const stated = await guardStorage(() =>
    shortenTitles(ports.memories, userId, normalised.memories, normalised.statedTitles),
  );
  const begun = stated.map((draft, at) => {
    const { changedAt: _, ...ownFacts } = facts[at] ?? {};
    return { ...draft, memory: { ...draft.memory, ...ownFacts } };
  });
  const deleted = isImport
    ? await guardStorage(() => findDeleted(ports.memories, userId, normalised.memories))
    : new Set<number>();
  const withoutDeleted = <Value>(values: readonly Value[]) => values.filter((_, at) => !deleted.has(at));
  const inTrash = [...deleted];
  const ownTitles = withoutDeleted(normalised.ownTitles);
  const drafts = await spellTagsOf(ports, userId, withoutDeleted(begun));
  if (drafts.length === 0)
    return { answer: answerOf([], 0, 0, warnings), ...NOTHING_TO_EMBED, replayed: false, inTrash };
  const memories = await guardStorage(async () => {
    const recognised = await recogniseSamePages(ports.memories, userId, drafts);
    const recognise = isImport ? recogniseEdited : recogniseLinks;
    return recognise(ports.memories, userId, recognised);
  });
  signal?.throwIfAborted();
  const turn: { end: (() => void) | null } = { end: null };
  const inserted = await guardStorage(() =>
    ports.memories.insert(userId, memories, {
      now: ports.clock.now(),
      indexing: (saved) => {
        turn.end?.();
        const count = countChunks(saved);
        turn.end = embedsLater || ports.embeddingModel === null ? null : takeInlineTurn(ports.embeddingModel, count);
        return count === 0 ? null : draftIndexing(ports, { isInline: turn.end !== null });
      },
      // The answer until the embeddings are made. A retry after a crash gets this one.
      replay: retry && { ...retry, answer: (saved, hooks) => answerOf(saved, 0, hooks, warnings) },
      triggersHooks,
      lease,
      actor,
    }),
  ).catch((error) => {
    turn.end?.();
    throw error;
  });
  if ('replayed' in inserted) {
    checkSameRequest(inserted.replayed.requestHash, retry?.requestHash);
    return replay(inserted.replayed.answer as CaptureAnswer);
  }
  const { hooksTriggered, indexingJobId: jobId } = inserted;
  const titled = withoutDeleted(captures).map((capture, at) => {
    const title = ownTitles[at];
    return title === undefined ? capture : { ...capture, title, ownTitle: true };
  });
  const saved = await applyTitles(ports, userId, titled, inserted.saved, actor).catch((error) => {
    turn.end?.();
    throw error;
  });
  const chunks = saved.flatMap(({ added }) => added);
  const outcome = await embedInline(ports, userId, chunks, { jobId, ended: signal, endTurn: turn.end });
  const embedded = outcome.embedding === 'done' ? chunks.length : 0;
  const answer = answerOf(saved, embedded, hooksTriggered, warnings);
  // The captures are saved. If this fails, a retry gets the first answer, which counts no embeddings and knows no new
  // titles.
  const isNews = embedded > 0 || saved.some((memory, at) => memory !== inserted.saved[at]);
  if (retry !== undefined && isNews) await ports.memories.updateAnswer(userId, retry.key, answer).catch(() => {});
  return { answer, ...outcome, replayed: false, inTrash };
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

/** Makes the embeddings of a capture before it is answered, if it has its turn (CAP-9). */
async function embedInline(
  ports: CapturePorts,
  userId: string,
  chunks: readonly PendingChunk[],
  { jobId, ended, endTurn }: { jobId: string | null; ended: AbortSignal | undefined; endTurn: (() => void) | null },
): Promise<Embedding> {
  const { embeddingModel, memories } = ports;
  if (chunks.length === 0) return NOTHING_TO_EMBED;
  if (embeddingModel === null || endTurn === null) return { embedding: 'queued', failure: null };
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
    endTurn();
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
