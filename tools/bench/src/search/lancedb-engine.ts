import type { Row } from './dataset.js';
import type { OpenEngine } from './engine.js';
import { loadPeer } from './peers.js';

/** LanceDB finds no index below this number of rows necessary. */
const INDEXED_FROM = 50_000;

/**
 * LanceDB with its defaults: an index of words, from 50,000 rows on one of vectors (HNSW with scalar quantisation), and
 * RRF.
 */
export const openLanceDbEngine: OpenEngine = async (folder) => {
  const { connect, Index, rerankers } = loadPeer('@lancedb/lancedb');
  const db = await connect(folder);
  const reranker = await rerankers.RRFReranker.create();
  // biome-ignore lint/suspicious/noExplicitAny: the library is not installed when this is compiled
  let table: any = null;
  const add = async (rows: readonly Row[]) => {
    const records = rows.map(({ id, title, text, vector }) => ({ id, text: `${title}\n${text}`, vector: [...vector] }));
    if (table === null) table = await db.createTable('rows', records);
    else await table.add(records);
  };
  return {
    async fill(rows) {
      let [some, count]: [Row[], number] = [[], 0];
      for (const row of rows) {
        some.push(row);
        count += 1;
        if (some.length < 10_000) continue;
        await add(some);
        some = [];
      }
      if (some.length > 0) await add(some);
      await table.createIndex('text', { config: Index.fts(), replace: true });
      if (count >= INDEXED_FROM)
        await table.createIndex('vector', { config: Index.hnswSq({ distanceType: 'cosine' }) });
      await table.optimize();
    },
    async nearest(vector, limit) {
      const found = await table
        .query()
        .nearestTo([...vector])
        .distanceType('cosine')
        .select(['id'])
        .limit(limit)
        .toArray();
      return found.map(({ id }: { id: number }) => Number(id));
    },
    async hybrid({ text, vector }, limit) {
      const found = await table
        .query()
        .nearestTo([...vector])
        .distanceType('cosine')
        .fullTextSearch(text)
        .rerank(reranker)
        .select(['id', 'text'])
        .limit(limit)
        .toArray();
      return found.map(({ id }: { id: number }) => Number(id));
    },
    close: async () => db.close(),
  };
};
