import { foldLetters } from '@recollect/contract/text';
import type { HybridIndex, TextIndex, VectorIndex } from '@recollect/core';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { compileOnce } from '../compile-once.js';
import type { Connected, Connections, Database } from '../dialect.js';
import { createChangeLog } from '../indexing/change-log.js';
import { meanOf } from '../indexing/save-embeddings.js';
import {
  byId,
  foundMemories,
  MAX_TITLED,
  type TitleValues,
  titledMemories,
  titleValues,
} from '../memories/found-memories.js';
import type { Tables } from '../tables.js';
import type { Pool } from './pool.js';
import { conditionOf } from './procedures/condition.js';
import { unpackHits } from './procedures/packed-hits.js';
import type { CallProcedure } from './procedures/procedures.js';
import type { BothRequest } from './procedures/search-both.js';
import { createTextLoader, type TextLoader } from './texts/load-texts.js';
import type { TextMemory } from './texts/text-memory.js';
import { createVectorLoader, isOfScan, type StoredModel } from './vectors/load-vectors.js';
import type { VectorMemory } from './vectors/vector-memory.js';

/** Pages that one step of a merge writes: 5 to 10 ms at 100,000 chunks. */
const MERGED_PAGES = 64;

/** Words that one step looks up in the index: a few milliseconds. */
const FORGOTTEN_WORDS = 500;

/**
 * Full-text search in memory, or by FTS5, whose index is contentless: it does not store a second copy of the text.
 */
function createTextIndex(
  { reader, writer }: Connections,
  { call, callWithin }: Pick<Pool, 'call' | 'callWithin'>,
  { texts, latest }: { texts: TextLoader | null; latest: Latest },
): TextIndex {
  const sequence = async () => (texts === null ? null : sequenceOf(texts, await latest()));
  return {
    search: async (userId, query, { limit, filter, also = [] }) => {
      const within = conditionOf(reader, userId, filter);
      return call('searchText', { userId, query, limit, within, also, filter }, await sequence());
    },
    frequencies: async (userId, terms) => call('countTerms', userId, terms, await sequence()),
    warmUp: async () => texts?.load(),
    nearestWords: (userId, query, limit = {}) => callWithin(limit)('nearestWords', userId, query),
    async forgetWords(after) {
      const { rows } = await sql<{ id: number; word: string }>`
        select id, word from words where id > ${after} order by id limit ${FORGOTTEN_WORDS}`.execute(reader);
      const words = rows.map(({ id, word }) => ({ id, phrase: `"${foldLetters(word)}"` }));
      const { rows: unused } = await unusedOf(words).execute(reader);
      // The writer looks again at the few that seem unused, since a capture may have brought one back.
      if (unused.length > 0)
        await sql`delete from words where id in (select id from (${unusedOf(unused)}))`.execute(writer);
      return rows.at(-1)?.id ?? null;
    },
    async merge() {
      const mayContinue = await mergeSome(writer);
      // No captures arrive at present.
      if (!mayContinue) await texts?.save();
      return mayContinue;
    },
  };
}

/** Merges some segments of the full-text index. Returns whether more can be merged. */
function mergeSome(writer: Kysely<Tables>): Promise<boolean> {
  return writer.transaction().execute(async (trx) => {
    const changes = async () => {
      const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(trx);
      return rows[0]?.count ?? 0;
    };
    const before = await changes();
    await sql`insert into chunk_text (chunk_text, rank) values ('merge', ${MERGED_PAGES})`.execute(trx);
    // The statement itself counts as one change.
    return (await changes()) - before > 1;
  });
}

/** A word of the table, as a phrase that the index is searched for. */
interface WordPhrase {
  id: number;
  phrase: string;
}

/** The given words that no text has. */
function unusedOf(words: readonly WordPhrase[]): RawBuilder<WordPhrase> {
  return sql<WordPhrase>`select value ->> 'id' as id, value ->> 'phrase' as phrase from json_each(${JSON.stringify(words)})
    where not exists (select 1 from chunk_text where chunk_text match value ->> 'phrase')
      and not exists (select 1 from comment_text where comment_text match value ->> 'phrase')`;
}

/** The searching sides of the indexes, and what they keep beside the store. */
export interface Searches extends Pick<Connected, 'createSearches'> {
  /** Keeps the text index for the next start. */
  saveTexts(): Promise<void>;
}

/** The searching sides of the indexes. Each search is one procedure of a connection. */
export function createSearches(pool: Pool, memory: SearchedMemory | null = null): Searches {
  const { call } = pool;
  let texts: TextLoader | null = null;
  return {
    saveTexts: async () => texts?.save(),
    createSearches(database) {
      const changes = createChangeLog(database);
      const latest = () => changes.latest(null);
      const access = createVectorAccess(database, { call, latest }, memory);
      if (memory?.texts) texts = createTextLoader({ call, latest, ...memory.texts, onNotice: memory.onNotice });
      return {
        textIndex: createTextIndex(database, pool, { texts, latest }),
        vectorIndex: createVectorIndex(database, call, { access, latest }),
        hybridIndex: createHybridIndex(database, pool, { access, texts, latest }),
      };
    },
  };
}

/** Reads the number of the newest change. */
type Latest = () => Promise<number>;

/** The number up to which texts in memory answer a search; null if FTS5 does. */
function sequenceOf(texts: TextLoader | null, newest: number): number | null {
  return texts?.isReady(newest) ? newest : null;
}

/** Both indexes, the ranking of their hits, and the memories of the first, in one message to a connection. */
function createHybridIndex(
  { reader, utf16Length }: Database,
  { callWithin }: Pick<Pool, 'callWithin'>,
  { access, texts, latest }: { access: VectorAccess; texts: TextLoader | null; latest: Latest },
): HybridIndex {
  const titled = compileOnce((values: TitleValues) => titledMemories(reader, values));
  const memories = compileOnce(({ userId, chunkIds }: { userId: string; chunkIds: string }) =>
    foundMemories({ reader, utf16Length }, userId, sql`chunks.id in (select value from json_each(${chunkIds}))`),
  );
  return {
    async search(userId, { terms, embedded, title }, { limit, read = 0, filter, signal, budget }) {
      const within = conditionOf(reader, userId, filter);
      const text = { userId, query: terms, limit, within, filter };
      const naming = title === undefined ? null : titled(titleValues(userId, title, within !== null));
      const reading = {
        titled: naming && { statement: naming, limit: MAX_TITLED.shown },
        memories: memories({ userId, chunkIds: '[]' }),
        count: read,
      };
      const newest = await latest();
      const textSequence = sequenceOf(texts, newest);
      const model = embedded === null ? null : await access.findModel(embedded.modelId);
      const ask = (vectors: BothRequest['vectors'], sequence: number | null) =>
        callWithin({ signal, budget })(
          'searchBoth',
          { text, vectors, ranking: embedded, reading },
          sequence,
          textSequence,
        );
      const isComparable = embedded !== null && model?.dimensions === embedded.vector.length;
      const { rows, packed, ...found } = !isComparable
        ? await ask(null, null)
        : await access.search(model, newest, (sequence) =>
            ask({ userId, modelId: model.id, vector: embedded.vector, limit, filter, within }, sequence),
          );
      return { hits: unpackHits(packed), ...found, memories: byId(rows) };
    },
  };
}

/** Nearest vectors, in memory or on disk. */
function createVectorIndex(
  { reader }: Database,
  call: CallProcedure,
  { access, latest }: { access: VectorAccess; latest: Latest },
): VectorIndex {
  return {
    async search(userId, modelName, vector, { limit, filter, also = [] }) {
      const model = await access.findModel(modelName);
      if (model?.dimensions !== vector.length) return { hits: [], beyond: null, similarities: new Map() };
      const within = conditionOf(reader, userId, filter);
      const request = { userId, modelId: model.id, vector, limit, filter, within, also };
      return access.search(model, await latest(), (sequence) => call('searchVectors', request, sequence));
    },

    async centre(userId, modelName, memoryId) {
      const rows = await reader
        .selectFrom('embeddings')
        .innerJoin('models', 'models.id', 'embeddings.model_id')
        .innerJoin('chunks', 'chunks.id', 'embeddings.chunk_id')
        .select('embeddings.vector')
        .where('embeddings.user_id', '=', userId)
        .where('models.name', '=', modelName)
        .where('chunks.user_id', '=', userId)
        .where('chunks.memory_id', '=', memoryId)
        .execute();
      return meanOf(rows.map(({ vector }) => vector));
    },

    async warmUp(modelName) {
      const model = await access.findModel(modelName);
      if (model !== null) await access.load(model);
    },
  };
}

/** Memory that searches scan, as soon as vectors and texts are there. */
interface SearchedMemory {
  vectors: VectorMemory | null;
  texts: { memory: TextMemory; file: string } | null;
  /** Receives a sentence that says why searches are slower than they could be. */
  onNotice: (notice: string) => void;
}

/**
 * How searches reach the vectors of a model: in memory, or, while they are loading, when they do not fit, when a scan
 * fails, and without memory, on disk. Similarities are the same; above 50,000 vectors, the scan can miss a hit that the
 * disk gives.
 */
interface VectorAccess {
  /** Null if nothing was embedded with the model. */
  findModel(name: string): Promise<StoredModel | null>;
  /**
   * Asks with the number of the newest change, up to which memory catches up before it answers, or with null for an
   * answer from the disk.
   */
  search<Found>(model: StoredModel, newest: number, ask: (sequence: number | null) => Promise<Found>): Promise<Found>;
  /** Brings the vectors of a model into memory. */
  load(model: StoredModel): Promise<void>;
}

function createVectorAccess(
  { reader }: Pick<Database, 'reader'>,
  { call, latest }: { call: CallProcedure; latest: Latest },
  searched: SearchedMemory | null,
): VectorAccess {
  const loader = searched?.vectors ? createVectorLoader(call, searched.vectors, latest, searched.onNotice) : null;
  /** A cache of models, whose rows never change. */
  const models = new Map<string, StoredModel>();

  return {
    async findModel(name) {
      const cachedModel = models.get(name);
      if (cachedModel !== undefined) return cachedModel;
      const model = await reader.selectFrom('models').selectAll().where('name', '=', name).executeTakeFirst();
      if (model !== undefined) models.set(name, model);
      return model ?? null;
    },
    async search(model, newest, ask) {
      if (loader?.isReady(model)) {
        try {
          return await ask(newest);
        } catch (error) {
          // A caller that left the queue, and a busy or damaged store, say nothing about the memory.
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
