import type { Database } from '../dialect.js';
import { createChangeLog } from '../indexing/change-log.js';
import type { Call } from './procedures/procedures.js';
import { createVectorLoader, isOfScan, type StoredModel } from './vectors/load-vectors.js';
import type { VectorMemory } from './vectors/vector-memory.js';

/** Memory that searches scan, once the vectors are there. */
export interface SearchedMemory {
  memory: VectorMemory;
  /** Receives a sentence that says why searches are slower than they could be. */
  onNotice: (notice: string) => void;
}

/**
 * How searches reach the vectors of a model: in memory, or, while they are loading, when they do not fit, when a scan
 * fails, and without memory, on disk. Similarities are the same; above 50,000 vectors, the scan can miss a hit that the
 * disk gives.
 */
export interface VectorAccess {
  /** Null if nothing was embedded with the model. */
  findModel(name: string): Promise<StoredModel | null>;
  /**
   * Asks with the number of the newest change, up to which memory catches up before it answers, and with null for an
   * answer from the disk.
   */
  search<Found>(model: StoredModel, ask: (sequence: number | null) => Promise<Found>): Promise<Found>;
  /** Brings the vectors of a model into memory. */
  load(model: StoredModel): Promise<void>;
}

export function createVectorAccess(database: Database, call: Call, searched: SearchedMemory | null): VectorAccess {
  const { latest } = createChangeLog(database);
  const loader = searched === null ? null : createVectorLoader(call, searched.memory, latest, searched.onNotice);
  /** A cache of models, whose rows never change. */
  const models = new Map<string, StoredModel>();

  return {
    async findModel(name) {
      const known = models.get(name);
      if (known !== undefined) return known;
      const { reader } = database;
      const model = await reader.selectFrom('models').selectAll().where('name', '=', name).executeTakeFirst();
      if (model !== undefined) models.set(name, model);
      return model ?? null;
    },
    async search(model, ask) {
      if (loader?.isReady(model)) {
        const newest = await latest();
        try {
          return await ask(newest);
        } catch (error) {
          // That a caller left the queue, or that the store is busy or damaged, says nothing of the memory.
          if (!isOfScan(error)) throw error;
          loader.fail(model, error);
        }
      } else void loader?.load(model);
      return ask(null);
    },
    async load(model) {
      if (loader?.isReady(model) === false) await loader.load(model);
    },
  };
}
