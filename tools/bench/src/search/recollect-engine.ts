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
import { DIMENSIONS, type Question, type Row } from './dataset.js';
import type { Engine, OpenEngine } from './engine.js';

const PER_CAPTURE = 100;
const RESULTS = 10;
const MEMORY_MB = 1_024;

/** Words of a question, without stop words. */
const QUERY_TOKENS = 6;

/** The name of the model whose embeddings are given. */
export const GIVEN_MODEL = 'given';

export const openRecollectEngine: OpenEngine = async (folder) => (await openRecollect(urlIn(folder))).engine;

/** The address of a store in a folder. */
export function urlIn(folder: string): string {
  return `sqlite:${join(folder, 'recollect.db')}`;
}

export interface OpenRecollect {
  engine: Required<Engine>;
  storage: Storage;
  /** Waits until vectors and words are in memory. */
  warmUp(): Promise<void>;
  /** A query without late interaction. */
  twoWay: Required<Engine>['hybrid'];
  /** Stores rows of a user without embeddings, and then their embeddings. */
  capture(rows: readonly Row[], userId?: string): Promise<void>;
  embed(rows: readonly Row[], userId?: string): Promise<void>;
  /** Queries as a user. Returns the ids of the results. */
  ask(question: Question, userId?: string): Promise<string[]>;
}

/**
 * Recollect without its server: a query through core, with the embedding of the question given.
 *
 * @param tokens how many passage vectors each chunk has; 0 for none. Their signs are random, which changes the order of
 * results and
 *   not the work.
 * @param textMemoryMb memory for the index of words; 0 for none
 */
export async function openRecollect(url: string, tokens = 0, textMemoryMb = MEMORY_MB): Promise<OpenRecollect> {
  const storage = await openStorage({
    url,
    vectorMemoryMb: MEMORY_MB,
    textMemoryMb,
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

  const capture: OpenRecollect['capture'] = async (rows, userId = LOCAL_USER) => {
    const captures = rows.map(({ id, title, text }) => ({ title, url: `https://a.example/${id}`, pageText: text }));
    const { answer } = await saving.capture(userId, captures);
    for (const [at, { id }] of answer.captures.entries()) rowOf.set(id, rows[at]?.id ?? 0);
  };
  const embed: OpenRecollect['embed'] = async (rows, userId = LOCAL_USER) => {
    const rowsByTitle = new Map(rows.map((row) => [row.title, row]));
    const pending = await storage.memories.pendingChunks(userId, model.id, rows.length);
    const embeddings = pending.map(({ chunkId, title }) => {
      const row = rowsByTitle.get(title);
      rowOfChunk.set(chunkId, row?.id ?? 0);
      const passage = tokens === 0 ? null : randomBytes((tokens * DIMENSIONS) / 8);
      return { chunkId, title, vector: row?.vector ?? new Float32Array(DIMENSIONS), passage };
    });
    await storage.memories.saveEmbeddings(userId, model.id, embeddings);
  };

  const askAs = async (some: Core, { text, vector }: Question, limit: number, userId = LOCAL_USER) => {
    given = Float32Array.from(vector);
    const { answer } = await some.query(userId, text, { limit });
    return answer.results.map(({ id }) => id);
  };
  const ask =
    (some: Core): Required<Engine>['hybrid'] =>
    async (question, limit) =>
      (await askAs(some, question, limit)).map((id) => rowOf.get(id) ?? 0);

  const warmUp = async () => {
    await Promise.all([storage.vectorIndex.warmUp?.(model.id), storage.textIndex.warmUp?.()]);
  };

  const engine: Required<Engine> = {
    async fill(rows) {
      let some: Row[] = [];
      for (const row of rows) {
        some.push(row);
        if (some.length < PER_CAPTURE) continue;
        await capture(some);
        await embed(some);
        some = [];
      }
      if (some.length > 0) {
        await capture(some);
        await embed(some);
      }
      await warmUp();
    },
    async nearest(vector, limit) {
      const { hits } = await storage.vectorIndex.search(LOCAL_USER, model.id, vector, { limit, filter: {} });
      return hits.map(({ chunkId }) => rowOfChunk.get(chunkId) ?? 0);
    },
    hybrid: ask(core),
    close: () => storage.close(),
  };
  return {
    engine,
    storage,
    warmUp,
    twoWay: ask(twoWayCore),
    capture,
    embed,
    ask: (question, userId) => askAs(core, question, RESULTS, userId),
  };
}
