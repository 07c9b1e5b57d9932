import type { NearestVectors, VectorHit } from '@recollect/core';
import { type Hit, openVectors, scorePassages } from '@recollect/in-memory-index';
import type Sqlite from 'better-sqlite3';
import { filterOf } from '../vectors/labels.js';
import { createRowReader, type VectorRow } from '../vectors/read-rows.js';
import { type VectorMemory, viewControl } from '../vectors/vector-memory.js';
import type { All } from './all.js';
import type { FindOwn } from './find-own.js';
import type { MemoryTexts } from './memory-texts.js';
import type { VectorProcedures, VectorRequest } from './vector-procedures.js';

/** One thread's part of the vectors in memory. */
export interface VectorLane {
  memory: VectorMemory;
  /** Which of the threads it is, from 0. */
  lane: number;
}

/** The change log no longer reaches back to the state of an index in memory. */
export const LOG_TRIMMED = 'VECTORS_LOG_TRIMMED';
/** The vectors are not in memory yet, or are being loaded again. */
export const NOT_LOADED = 'VECTORS_NOT_LOADED';

/** The share of unused bytes, and their least number, from which on the vectors should be loaded again. */
const MIN_UNUSED = { share: 0.3, bytes: 16 * 2 ** 20 };

export interface MemorySearch extends Omit<VectorProcedures, 'searchVectors'> {
  /** Scans the vectors, after every change up to a number. Throws unless they are all there. */
  searchInMemory(request: VectorRequest, sequence: number): NearestVectors;
}

/** Nearest neighbours by a scan over memory that the threads share. */
export function createMemorySearch(
  database: Sqlite.Database,
  {
    own,
    isAlone,
    texts,
  }: { own: FindOwn; isAlone: (userId: string) => boolean; texts: Pick<MemoryTexts, 'factsOf'> | null },
  { memory, lane }: VectorLane,
): MemorySearch {
  const vectors = openVectors(memory.vectors, lane);
  const control = viewControl(memory.control);
  const rows = createRowReader(database);

  /** Leaves out rows of other dimensions, which no search compares. */
  const usable = (read: readonly VectorRow[]) => {
    const { dimensions } = vectors.shape();
    const usable = read.filter(({ vector }) => vector.length === dimensions);
    control.skipped += read.length - usable.length;
    return usable;
  };

  /** Runs work on the vectors after every change up to a number, unless vectors are missing. */
  const whileLoaded = <Result>(modelId: number, sequence: number, work: () => Result): Result => {
    const { generation } = control;
    const demand = () => {
      if (control.state !== 'ready' || control.modelId !== modelId || control.generation !== generation)
        throw failure(NOT_LOADED, 'The vectors are not loaded.');
    };
    demand();
    if (control.sequence < sequence) catchUp(generation);
    const result = work();
    demand();
    return result;
  };

  const catchUp = (generation: number) => {
    const read = rows.readChanges(control.modelId, control.sequence);
    if (read === null) throw failure(LOG_TRIMMED, 'The change log was trimmed.');
    const changed = usable(read.rows);
    vectors.change(({ put, remove }) => {
      // Another thread may have read a newer state of the same memories.
      if (control.sequence >= read.newest || control.generation !== generation) return;
      for (const id of read.removed) remove(id);
      for (const { chunkId, vector, facts } of changed) put(chunkId, vector, facts);
      control.sequence = read.newest;
    });
    const { used, wasted } = vectors.bytes();
    control.isWasteful = wasted > MIN_UNUSED.bytes && wasted > MIN_UNUSED.share * used;
  };

  /** Looks up the memories of hits. SQLite applies a filter again, because the scan compares hashes. */
  const toHits = (nearest: readonly Hit[], { userId, within }: VectorRequest): VectorHit[] => {
    const memories = own.memoriesOf(userId, nearest, within);
    return nearest.flatMap(({ id, similarity }) => {
      const memoryId = memories.get(id);
      return memoryId === undefined ? [] : [{ chunkId: id, memoryId, similarity }];
    });
  };

  return {
    searchInMemory(request, sequence) {
      const { userId, modelId, vector, limit, filter, also } = request;
      const read = (ids: readonly number[]) => rows.readSome(modelId, ids);
      const few = request.isNarrow === true ? own.findFew(userId, request.within) : null;
      // Label lists are scattered in memory. Comparing them takes longer than the scan.
      const isUnfiltered = request.within === null && isAlone(userId);
      const near = (isFiltered: boolean) =>
        few === null
          ? vectors.search(vector, { limit, filter: isFiltered ? filterOf(userId, filter) : {}, readRows: read })
          : nearestOf(few, vectors.similarities(vector, few, read), limit);
      const findNear = (isFiltered: boolean) => {
        const found = whileLoaded(modelId, sequence, () => near(isFiltered));
        return { found, hits: toHits(found, request) };
      };
      const first = findNear(!isUnfiltered);
      // Dropped hits may belong to a user who was added since the last check.
      const { found, hits } = isUnfiltered && first.hits.length < first.found.length ? findNear(true) : first;
      const compared = whileLoaded(modelId, sequence, () => vectors.similarities(vector, also, read));
      const similarities = also.flatMap((id, at): [number, number][] => {
        const similarity = compared[at];
        return similarity === undefined || Number.isNaN(similarity) ? [] : [[id, similarity]];
      });
      // The scan does not apply excluded words, which may remove all of its hits.
      const beyond = found.length === limit ? (found.at(-1)?.similarity ?? null) : null;
      return { hits, beyond, similarities: new Map(similarities) };
    },

    resetVectors({ id, dimensions }, hasRows, sequence) {
      vectors.reset({ dimensions, hasRows });
      control.modelId = id;
      control.sequence = sequence;
      control.skipped = 0;
      control.isWasteful = false;
    },

    loadVectors(from, limit) {
      const known = (chunkIds: readonly number[]) => texts?.factsOf(control.sequence, chunkIds) ?? [];
      const read = rows.readPage(control.modelId, from, limit, known);
      if (read === null) return null;
      const loaded = usable(read.rows);
      vectors.change(({ put }) => {
        for (const { chunkId, vector, facts } of loaded) put(chunkId, vector, facts);
      });
      return read.next;
    },
  };
}

function nearestOf(ids: readonly number[], similarities: readonly number[], limit: number): Hit[] {
  return ids
    .map((id, at) => ({ id, similarity: similarities[at] ?? Number.NaN }))
    .filter(({ similarity }) => !Number.isNaN(similarity))
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
    .slice(0, limit);
}

export function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

interface PassageRequest extends Pick<VectorRequest, 'userId' | 'modelId' | 'vector'> {
  /** The query's token vectors, of length 1 and with as many components as its vector, one after the other. */
  tokens: Float32Array;
  chunkIds: readonly number[];
}

/** The late-interaction scores of those chunks that have passage vectors; null for one that has no tokens. */
export type ScorePassages = (request: PassageRequest) => Map<number, number | null>;

export function createPassageScores(all: All): ScorePassages {
  return ({ userId, modelId, vector: { length: dimensions }, tokens, chunkIds }) => {
    if (tokens.length === 0 || tokens.length % dimensions !== 0) return new Map();
    const rows = all(
      `select chunk_id as chunkId, signs from passage_vectors
      where user_id = ? and model_id = ? and chunk_id in (select value from json_each(?))`,
      [userId, modelId, JSON.stringify(chunkIds)],
    ) as { chunkId: number; signs: Uint8Array }[];
    const scores = scorePassages(
      tokens,
      dimensions,
      rows.map(({ signs }) => signs),
    );
    const scored = rows.map(({ chunkId }, at): [number, number | null] => [chunkId, scores[at] ?? null]);
    return new Map(scored.filter(([, score]) => !Number.isNaN(score)));
  };
}
