import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  type Core,
  createCore,
  type EmbeddingModel,
  estimateTokens,
  type LateInteraction,
  LOCAL_USER,
} from '@recollect/core';
import { minilm } from '@recollect/models/minilm';
import { openStorage, type Storage } from '@recollect/storage';
import { DIMENSIONS, type Row } from './dataset.js';
import type { Engine, OpenEngine } from './engine.js';

const PER_CAPTURE = 100;
const MEMORY_MB = 1_024;

/** Words of a question, without stop words. */
const QUERY_TOKENS = 6;

/** The name of the model whose embeddings are given. */
export const GIVEN_MODEL = 'given';

export const openRecollectEngine: OpenEngine = async (folder) => (await openRecollect(folder)).engine;

export interface OpenRecollect {
  engine: Required<Engine>;
  storage: Storage;
  /** A query without late interaction. */
  twoWay: Required<Engine>['hybrid'];
}

/**
 * Recollect without its server: a query through core, with the embedding of the question given.
 *
 * @param tokens how many passage vectors each chunk has; 0 for none. Their signs are random, which changes the order of
 * results and
 *   not the work.
 */
export async function openRecollect(folder: string, tokens = 0): Promise<OpenRecollect> {
  const storage = await openStorage({
    url: `sqlite:${join(folder, 'recollect.db')}`,
    vectorMemoryMb: MEMORY_MB,
    onNotice: (notice) => console.error(notice),
  });
  let given = new Float32Array(DIMENSIONS);
  const model: EmbeddingModel = {
    id: GIVEN_MODEL,
    profile: { ...minilm.recipe, countTokens: estimateTokens },
    embed: async () => [given],
    close: async () => {},
  };
  const queryTokens = new Float32Array(QUERY_TOKENS * DIMENSIONS).fill(1 / Math.sqrt(DIMENSIONS));
  const late: LateInteraction = {
    weight: minilm.recipe.lateWeight,
    embedQuery: async () => ({ vector: given, tokens: queryTokens }),
    embedPassages: async () => [],
  };
  const core = createCore({ ...storage, embeddingModel: tokens === 0 ? model : { ...model, late } });
  const twoWayCore = createCore({ ...storage, embeddingModel: model });
  const saving = createCore({ ...storage });
  /** The row of each memory and chunk. */
  const rowOf = new Map<string, number>();
  const rowOfChunk = new Map<number, number>();

  const save = async (rows: readonly Row[]) => {
    const captures = rows.map(({ id, title, text }) => ({ title, url: `https://a.example/${id}`, pageText: text }));
    const { answer } = await saving.capture(LOCAL_USER, captures);
    for (const [at, { id }] of answer.captures.entries()) rowOf.set(id, rows[at]?.id ?? 0);
    const vectors = new Map(rows.map(({ title, vector }) => [title, vector]));
    const pending = await storage.memories.pendingChunks(LOCAL_USER, model.id, rows.length);
    const embeddings = pending.map(({ chunkId, title }) => {
      rowOfChunk.set(chunkId, rows.find((row) => row.title === title)?.id ?? 0);
      const passage = tokens === 0 ? null : randomBytes((tokens * DIMENSIONS) / 8);
      return { chunkId, title, vector: vectors.get(title) ?? new Float32Array(DIMENSIONS), passage };
    });
    await storage.memories.saveEmbeddings(LOCAL_USER, model.id, embeddings);
  };

  const ask =
    (some: Core): Required<Engine>['hybrid'] =>
    async ({ text, vector }, limit) => {
      given = Float32Array.from(vector);
      const { answer } = await some.query(LOCAL_USER, text, { limit });
      return answer.results.map(({ id }) => rowOf.get(id) ?? 0);
    };

  const engine: Required<Engine> = {
    async fill(rows) {
      let some: Row[] = [];
      for (const row of rows) {
        some.push(row);
        if (some.length < PER_CAPTURE) continue;
        await save(some);
        some = [];
      }
      if (some.length > 0) await save(some);
      await storage.vectorIndex.warmUp?.(model.id);
    },
    async nearest(vector, limit) {
      const { hits } = await storage.vectorIndex.search(LOCAL_USER, model.id, vector, { limit, filter: {} });
      return hits.map(({ chunkId }) => rowOfChunk.get(chunkId) ?? 0);
    },
    hybrid: ask(core),
    close: () => storage.close(),
  };
  return { engine, storage, twoWay: ask(twoWayCore) };
}
