import { DIMENSIONS } from './dataset.js';
import type { OpenEngine } from './engine.js';
import { loadPeer } from './peers.js';

/** Orama, which keeps everything in memory and nothing on disk. */
export const openOramaEngine: OpenEngine = async () => {
  const { create, insert, search } = loadPeer('@orama/orama');
  const db = create({ schema: { title: 'string', text: 'string', vector: `vector[${DIMENSIONS}]` } });
  const idsOf = ({ hits }: { hits: { id: string }[] }) => hits.map(({ id }) => Number(id));
  return {
    async fill(rows) {
      for (const { id, title, text, vector } of rows)
        await insert(db, { id: String(id), title, text, vector: [...vector] });
    },
    nearest: async (vector, limit) =>
      idsOf(
        await search(db, { mode: 'vector', vector: { value: [...vector], property: 'vector' }, similarity: 0, limit }),
      ),
    hybrid: async ({ text, vector }, limit) =>
      idsOf(
        await search(db, {
          mode: 'hybrid',
          term: text,
          vector: { value: [...vector], property: 'vector' },
          similarity: 0,
          limit,
        }),
      ),
    close: async () => {},
  };
};
