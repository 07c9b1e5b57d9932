import type { Correction, QueryAnswer, QueryResult, Suggestion, TimeRange } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { Memory, MemoryFilter } from '../memory.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { EmbeddingModel } from '../ports/index.js';
import { canRead, createModelChoice, embedQuery } from './choose-model.js';
import { type FoundResults, findResults } from './find-results.js';
import { completeWord, mergeFilters, type ParsedQuery, parseQuery } from './parse-query.js';
import { type FoundPassage, readPassages } from './read-passages.js';
import { OUT_OF_TIME, type SearchBudget } from './search-budget.js';
import { correctQuery } from './spelling/correct-query.js';
import { CAREFULLY_RANKED, rankCarefully } from './stages/careful.js';
import { type MemoryWithResult, readNewest } from './stages/present.js';
import { CLEAR_SCORE, findWithin, namedTime } from './time/find-within.js';

/** The dependencies of searching. */
export type QueryPorts = Pick<CorePorts, 'memories' | 'hybridIndex' | 'textIndex' | 'embeddingModel' | 'clock'> &
  Partial<Pick<CorePorts, 'previousModels' | 'reranker' | 'dictionary'>>;

export interface QueryOptions {
  limit?: number | undefined;
  filter?: MemoryFilter | undefined;
  /** Leaves out results with a lower score, 0 to 1. */
  minScore?: number | undefined;
  /** Whether mistyped words are not corrected, and words for a time not taken as a filter. */
  asTyped?: boolean | undefined;
  /**
   * Whether the last word may be the beginning of a longer one; true by default. Otherwise a word that the model knows
   * is complete.
   */
  prefix?: boolean | undefined;
  /** Whether a reranker judges the best results (QRY-17). */
  careful?: boolean | undefined;
  /** Reads the passages of the results too, with text around them where there is a budget in tokens for all of it. */
  passages?: { tokens?: number | undefined } | undefined;
  /** The user's time zone, in which days begin; by default this machine's. */
  timeZone?: string | undefined;
  /** Cancels the search, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface QueryOutcome {
  answer: QueryAnswer;
  /** The memories of the results, in the same order. */
  memories: readonly Memory[];
  /** Where the results stand in their texts, in the same order; empty unless they were asked for. */
  passages: readonly FoundPassage[];
  /** `text` when no embedding of the query was available in time, or the model does not read its script. */
  retrieval: 'hybrid' | 'text';
  /** Whether a model is configured but failed or was too slow. */
  isDegraded: boolean;
  /** Why the order is the usual one although careful search was requested. Also among the answer's warnings. */
  carefulWarning?: string | undefined;
}

type InTurn = <T>(search: () => Promise<T>) => Promise<T>;

/** Limits that a machine or a test changes. */
export interface QueryLimits {
  /**
   * Runs searches, some at a time; all at once by default. As many as there are processors keep everything else
   * waiting, which the event loop answers.
   */
  inTurn?: InTurn | undefined;
  /** Runs searches that exceeded their turn, one at a time, beside the others; all at once by default. */
  slowly?: InTurn | undefined;
  /** Milliseconds of processor time that a search may take (QRY-21), and how much of them in its first turn. */
  budgetMs?: number | undefined;
  turnMs?: number | undefined;
  /** Milliseconds that careful search may take on top of a search. */
  carefulMs?: number | undefined;
  /** Milliseconds of a search after which the machine is too busy for a careful one. */
  busyMs?: number | undefined;
}

export type QueryUseCase = (userId: string, query: string, options?: QueryOptions) => Promise<QueryOutcome>;

/**
 * Makes the use case that finds memories by meaning and by word, best first, one result a memory.
 *
 * @example
 * const query = createQuery({ ...storage, embeddingModel, clock: systemClock });
 * const { answer, retrieval } = await query('local', 'how hot for tea site:example.org', { limit: 5 });
 */
export function createQuery(
  ports: QueryPorts,
  {
    carefulMs = limits.query.carefulMs,
    busyMs = limits.query.carefulMs,
    inTurn = (search) => search(),
    slowly = (search) => search(),
    budgetMs = limits.query.budgetMs,
    turnMs = limits.query.turnMs,
  }: QueryLimits = {},
): QueryUseCase {
  const chooseModel = createModelChoice(ports);
  return async (userId, query, options = {}) => {
    const {
      limit = limits.query.results.default,
      filter = {},
      minScore = 0,
      asTyped = false,
      prefix = true,
      careful = false,
      passages,
      timeZone,
      signal,
    } = options;
    if (query.trim() === '')
      throw new RecollectError('QUERY_EMPTY', 'The query is empty. Send some words to search for.');
    if (query.length > limits.query.length) {
      const message = `must have at most ${limits.query.length} characters`;
      throw new RecollectError('VALIDATION_FAILED', `The query ${message}.`, {
        errors: [{ pointer: '/query', message }],
      });
    }
    signal?.throwIfAborted();
    const startedAt = performance.now();
    const parsed = parseQuery(query, timeZone);
    const typed = { ...parsed, filter: mergeFilters(parsed.filter, filter) };
    const read = async (placed: readonly MemoryWithResult[]) =>
      passages === undefined ? [] : readPassages(ports.memories, userId, placed, passages.tokens);
    try {
      if (typed.text === '') {
        const { placed, ...how } = await listNewest(ports, userId, typed.filter, limit);
        return { ...answerOf(query, placed, parsed), passages: await read(placed), ...how };
      }
      const model = readerOf(await chooseModel(userId), typed.text);
      const embed = (text: string) => (model === null ? null : embedQuery(model, text, signal));
      const embeddingAsTyped = embed(typed.text);
      const isWord = wordsOf(model);
      const worded = prefix ? typed : completeWord(typed, isWord);
      const time = asTyped ? null : namedTime(worded, ports.clock.now(), timeZone);
      // A reranker may move any of the results that it compares to the top.
      const resultLimit = careful ? Math.max(limit, CAREFULLY_RANKED) : limit;
      const budget = { left: (1 - CORRECTION) * budgetMs - turnMs };
      const find = async (some: ParsedQuery, embedding: ReturnType<typeof embed>) => {
        const findWith = (searchBudget: SearchBudget) =>
          findResults({ ...ports, embeddingModel: model }, userId, some, {
            limit: resultLimit,
            minScore,
            embedding,
            signal,
            budget: searchBudget,
          });
        // A slow model must not keep others waiting.
        await embedding;
        const firstResults = await inTurn(() => findWith({ left: turnMs }));
        // Ordinary searches need a fraction of a turn, and must not wait for others.
        return firstResults.isPartial ? slowly(() => findWith(budget)) : firstResults;
      };
      const list = (some: ParsedQuery) => listNewest(ports, userId, some.filter, limit);
      const findAll = (some: ParsedQuery, embedding: ReturnType<typeof embed>) =>
        findWithin(time, some, { find: (part) => find(part, embedding), list });
      const asTypedFound = await findAll(worded, embeddingAsTyped);
      const isAnswered = hasAnswer(asTypedFound.found);
      const correction = asTyped
        ? null
        : await correctQuery(ports.textIndex, userId, worded, {
            // Cached counts may be outdated. Without a clear answer, look up all words.
            absent: isAnswered ? asTypedFound.found.absent : null,
            literally: time?.words,
            isWord,
            dictionary: ports.dictionary,
            signal,
            budget: CORRECTION * budgetMs,
          });
      // Words are replaced without asking only where they would find nothing.
      const meant = isAnswered ? null : (correction?.meant ?? null);
      const asked = meant?.parsed ?? worded;
      const { found, interpreted, warning, isList } =
        meant === null ? asTypedFound : await findAll(asked, embed(asked.text));
      const { retrieval, isDegraded } = found;
      // A list has its order.
      const ranked =
        careful && isList !== true
          ? await rankCarefully(ports.reranker ?? null, asked.text, found.placed, {
              budget: carefulMs,
              isBusy: performance.now() - startedAt > busyMs,
              signal,
            })
          : null;
      const placed = (ranked ?? found).placed.slice(0, limit);
      const isPartial = found.isPartial || correction?.isPartial === true;
      const warnings = [
        ...parsed.warnings,
        ...(isPartial ? [OUT_OF_TIME] : []),
        ...(warning === undefined ? [] : [warning]),
        ...(isDegraded ? [DEGRADED] : []),
        ...(ranked?.warning === undefined ? [] : [ranked.warning]),
      ];
      const answer = answerOf(query, placed, {
        warnings,
        corrected: meant?.corrected,
        suggestion: meant === null ? (correction?.suggestion ?? undefined) : undefined,
        interpreted,
        isCareful: ranked !== null && ranked.warning === undefined,
      });
      const carefulWarning = ranked?.warning;
      return { ...answer, passages: await read(placed), retrieval, isDegraded, carefulWarning };
    } catch (cause) {
      if (cause instanceof RecollectError || signal?.aborted) throw cause;
      throw new RecollectError('RETRIEVAL_FAILED', 'The store could not be searched. Try again.', { cause });
    }
  };
}

/** A query that has only conditions is answered with the newest memories that meet them. */
async function listNewest(
  { memories }: QueryPorts,
  userId: string,
  filter: MemoryFilter,
  limit: number,
): Promise<FoundResults> {
  return {
    placed: await readNewest(memories, userId, filter, limit),
    absent: null,
    retrieval: 'text',
    isDegraded: false,
    isPartial: false,
  };
}

/**
 * Whether a search found a clear answer with words of the query. Without vectors, any result counts, since each has
 * such words. A result without them may only match the accidental meaning of a mistyped word.
 */
function hasAnswer({ placed, retrieval }: FoundResults): boolean {
  const isClear = ({ score, match }: QueryResult) => score >= CLEAR_SCORE && match.terms.length > 0;
  return placed.some(({ result }) => retrieval === 'text' || isClear(result));
}

/** A model has the common words of its languages as one token each. */
function wordsOf(model: EmbeddingModel | null): (word: string) => boolean {
  return (word) => model !== null && model.profile.countTokens(word) === 1;
}

/** The model, if there is one and it reads the script of the query. */
function readerOf(model: EmbeddingModel | null, text: string): EmbeddingModel | null {
  return model !== null && canRead(model.profile.scripts, text) ? model : null;
}

/** The share of the budget that is for correcting words. */
const CORRECTION = 0.25;

const DEGRADED = 'The embedding model did not respond, so only full text was searched.';

/** The parts of an answer besides its results. */
interface Remarks {
  warnings: readonly string[];
  corrected?: Correction | undefined;
  suggestion?: Suggestion | undefined;
  interpreted?: TimeRange | undefined;
  isCareful?: boolean | undefined;
}

function answerOf(
  query: string,
  placed: readonly MemoryWithResult[],
  { warnings, corrected, suggestion, interpreted, isCareful }: Remarks,
): Pick<QueryOutcome, 'answer' | 'memories'> {
  const results = placed.map(({ result }) => result);
  return {
    answer: {
      query,
      ...(corrected === undefined ? {} : { corrected }),
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(interpreted === undefined ? {} : { interpreted }),
      ...(isCareful ? { careful: true as const } : {}),
      results,
      ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
    },
    memories: placed.map(({ memory }) => memory),
  };
}
