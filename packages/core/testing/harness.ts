import type { MemoryFilter, NewMemory } from '#core/memory.js';
import type { StorePorts } from '#core/ports/core-ports.js';
import type { SavedMemory } from '#core/ports/index.js';

/** The stores of an implementation, open and empty. */
export interface StorageUnderTest extends StorePorts {
  close(): Promise<void>;
}

/** The stores, with helpers for the cases. */
export interface Harness extends StorageUnderTest {
  insert(userId: string, ...drafts: NewMemory[]): Promise<SavedMemory[]>;
  /** The memories that a word finds, best first. */
  search(userId: string, word: string, filter?: MemoryFilter): Promise<string[]>;
  /** Gives each chunk of a memory this vector. */
  embed(
    userId: string,
    modelId: string,
    memory: SavedMemory | undefined,
    vector: Float32Array | undefined,
  ): Promise<void>;
}

/** Registers one case: a title, and a function that gets open, empty stores. */
export type Check = (title: string, run: (storage: Harness) => Promise<void>) => void;

export function createHarness(storage: StorageUnderTest): Harness {
  return {
    ...storage,
    async insert(userId, ...drafts) {
      const outcome = await storage.memories.insert(userId, drafts, {
        now: new Date(),
        indexing: () => null,
        triggersHooks: true,
      });
      if ('replayed' in outcome) throw new Error('Expected no replayed answer.');
      return outcome.saved;
    },
    async search(userId, word, filter = {}) {
      const { hits } = await storage.textIndex.search(userId, { terms: [[word]], prefix: null }, { limit: 50, filter });
      return hits.map(({ memoryId }) => memoryId);
    },
    async embed(userId, modelId, memory, vector) {
      if (memory === undefined || vector === undefined) throw new Error('Expected a memory and a vector.');
      await storage.memories.saveEmbeddings(
        userId,
        modelId,
        memory.added.map(({ chunkId }) => ({ chunkId, title: memory.title, vector })),
      );
    },
  };
}
