import type { Selectable } from 'kysely';
import type { Tables } from '../../tables.js';
import type { CallProcedure } from '../procedures/procedures.js';
import { LOG_TRIMMED, NOT_LOADED } from '../procedures/search-memory-vectors.js';
import { SqliteError } from '../sqlite-error.js';
import type { Cursor } from './read-rows.js';
import { type VectorMemory, viewControl } from './vector-memory.js';

/** A row of `models`. */
export type StoredModel = Selectable<Tables['models']>;

/** Vectors that one call loads: the connection is free again after about 20 ms. */
const PAGE = 2_000;
const START: Cursor = { userId: '', chunkId: 0 };

/** Whether the vectors of a model are in memory, and brings them there. */
export interface VectorLoader {
  /** Whether searches of the model can use the memory. */
  isReady(model: StoredModel): boolean;
  /** Loads the vectors of a model in the background, unless that has failed before. Resolves when it has ended. */
  load(model: StoredModel): Promise<void>;
  /** Notes that a search failed. Whether the vectors are loaded again depends on the reason. */
  fail(model: StoredModel, error: unknown): void;
}

/**
 * @param latest the number of the newest change
 * @param onNotice receives a sentence that says why searches are slower than they could be
 */
export function createVectorLoader(
  call: CallProcedure,
  { control: words }: VectorMemory,
  latest: () => Promise<number>,
  onNotice: (notice: string) => void,
): VectorLoader {
  const control = viewControl(words);
  let loading: Promise<void> | null = null;
  let hasRows = true;
  /** The model whose vectors could not be brought into memory. */
  let failed: number | null = null;

  const fill = async ({ id, dimensions }: StoredModel) => {
    await call('resetVectors', { id, dimensions }, hasRows, await latest());
    for (let cursor: Cursor | null = START; cursor !== null; ) cursor = await call('loadVectors', cursor, PAGE);
    if (control.skipped > 0)
      onNotice(
        `${control.skipped} vectors have other dimensions than their model, and are not searched. Run recollect doctor --fix.`,
      );
  };

  const bring = async (model: StoredModel) => {
    if (control.modelId !== model.id) hasRows = true;
    control.generation += 1;
    control.state = 'loading';
    try {
      try {
        await fill(model);
      } catch (error) {
        if (!isFull(error) || !hasRows) throw error;
        hasRows = false;
        await fill(model);
      }
      control.state = 'ready';
    } catch (error) {
      control.state = 'failed';
      failed = model.id;
      if (isClosed(error)) return;
      onNotice(
        isFull(error)
          ? 'RECOLLECT_VECTOR_MEMORY is too small for the vectors of this store: they are searched on disk, which is slower.'
          : `The vectors could not be loaded into memory (${(error as Error).message}): they are searched on disk, which is slower.`,
      );
    }
  };

  const load = (model: StoredModel): Promise<void> => {
    if (failed === model.id) return Promise.resolve();
    loading ??= bring(model).finally(() => {
      loading = null;
    });
    return loading;
  };

  return {
    isReady: ({ id }) => control.state === 'ready' && control.modelId === id && !control.isWasteful,
    load,
    fail(model, error) {
      if (codeOf(error) === NOT_LOADED || isClosed(error) || loading !== null) return;
      control.state = 'empty';
      if (isFull(error) && hasRows) hasRows = false;
      else if (codeOf(error) !== LOG_TRIMMED) {
        failed = model.id;
        onNotice(
          `The vectors in memory cannot be searched (${(error as Error).message}): they are searched on disk, which is slower.`,
        );
      }
    },
  };
}

/** Whether an error is one of a scan in memory, and not of SQLite or of the caller. */
export function isOfScan(error: unknown): boolean {
  return error instanceof SqliteError && !error.code.startsWith('SQLITE_');
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

function isFull(error: unknown): boolean {
  return codeOf(error) === 'VECTORS_FULL';
}

/** Whether the store has been closed during the load. */
function isClosed(error: unknown): boolean {
  return codeOf(error) === 'CLOSED';
}
