import { join } from 'node:path';
import type { OpenEngine } from './engine.js';
import { loadPeer } from './peers.js';

/** Candidates of each kind, as in Recollect. */
const CANDIDATES = 120;
/** The constant of reciprocal rank fusion. */
const RRF = 60;

/** The example of sqlite-vec's documentation: vec0 with float32, FTS5 with OR by rank, and reciprocal rank fusion. */
export const openRawSqliteEngine: OpenEngine = async (folder) => {
  const Database = loadPeer('better-sqlite3');
  const db = new Database(join(folder, 'raw.db'));
  loadPeer('sqlite-vec').load(db);
  db.pragma('page_size = 8192');
  db.pragma('journal_mode = wal');
  db.pragma('cache_size = -65536');
  db.exec(`create table docs (id integer primary key, title text, text text);
    create virtual table texts using fts5(title, text, content = 'docs', content_rowid = 'id', tokenize = 'porter unicode61');
    create virtual table vectors using vec0(id integer primary key, vector float[384] distance_metric=cosine)`);
  const near = db.prepare('select id from vectors where vector match ? and k = ? order by distance').pluck();
  const match = db.prepare('select rowid from texts where texts match ? order by rank limit ?').pluck();
  const read = db.prepare('select id, title, text from docs where id in (select value from json_each(?))');

  const nearest = (vector: Float32Array, limit: number): number[] => near.all(blobOf(vector), limit);
  return {
    async fill(rows) {
      const doc = db.prepare('insert into docs values (?, ?, ?)');
      const text = db.prepare('insert into texts (rowid, title, text) values (?, ?, ?)');
      const vector = db.prepare('insert into vectors values (?, ?)');
      db.exec('begin');
      for (const row of rows) {
        doc.run(row.id, row.title, row.text);
        text.run(row.id, row.title, row.text);
        vector.run(BigInt(row.id), blobOf(row.vector));
        if (row.id % 10_000 === 0) db.exec('commit; begin');
      }
      db.exec('commit');
    },
    nearest: async (vector, limit) => nearest(vector, limit),
    async hybrid({ text, vector }, limit) {
      const words = (text.match(/\p{L}+/gu) ?? []).map((word) => `"${word}"`).join(' OR ');
      const score = new Map<number, number>();
      for (const ids of [nearest(vector, CANDIDATES), match.all(words, CANDIDATES) as number[]])
        for (const [at, id] of ids.entries()) score.set(id, (score.get(id) ?? 0) + 1 / (RRF + at));
      const best = [...score].sort((a, b) => b[1] - a[1]).slice(0, limit);
      const ids = best.map(([id]) => id);
      read.all(JSON.stringify(ids));
      return ids;
    },
    close: async () => db.close(),
  };
};

function blobOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
