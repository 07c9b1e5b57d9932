import { openStorage, type Storage } from '@recollect/storage';
import pg from 'pg';
import type { Figure } from './figure.js';
import { quantile, time } from './statistics.js';

/** Chunks of all people together. */
const SIZES = [100_000, 300_000, 1_000_000];
/** One person has half of the chunks, and the others have so many each. */
const CHUNKS_OF_OTHERS = 1_000;
const DIMENSIONS = 384;
const MODEL = 'made-up';
/** Queries of each kind, and those before them that warm it up. */
const [TIMES, WARM] = [40, 10];

/** Milliseconds that a query may take. */
const LIMIT = 300;

/**
 * Fills an empty database with made-up texts and vectors, and measures queries of a person with half of everything and
 * of one with a thousand chunks, the indexes, and the time to make the index of the vectors.
 */
export async function measureDatabase(): Promise<Figure[]> {
  const url = process.env.RECOLLECT_BENCH_DATABASE_URL;
  if (url === undefined) throw new Error('Set RECOLLECT_BENCH_DATABASE_URL to an empty database.');
  const storage = await openStorage({ url, readers: 1 });
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query("select set_config('recollect.user', '*', false)");
    await client.query(PREPARATION);
    const figures: Figure[] = [];
    for (const [at, size] of SIZES.entries()) {
      const filling = await time(() => fill(client, SIZES[at - 1] ?? 0, size));
      await client.query('drop index if exists embeddings_by_vector_1');
      await client.query("set maintenance_work_mem = '2GB'");
      const building = await time(() =>
        client.query(`create index embeddings_by_vector_1 on embeddings
          using hnsw ((vector::halfvec(${DIMENSIONS})) halfvec_cosine_ops)
          with (m = 16, ef_construction = 64) where model_id = 1`),
      );
      await client.query('vacuum analyze');
      figures.push(...(await measureSize(storage, client, { size, filling, building })));
    }
    return figures;
  } finally {
    await client.end();
    await storage.close();
  }
}

interface Filled {
  size: number;
  /** Milliseconds. */
  filling: number;
  building: number;
}

async function measureSize(storage: Storage, client: pg.Client, filled: Filled): Promise<Figure[]> {
  const sizes = await client.query<{ name: string; bytes: string }>(
    'select name, pg_total_relation_size(name::regclass) as bytes from unnest($1::text[]) as name',
    [['embeddings', 'embeddings_by_vector_1', 'chunk_text', 'chunk_text_words', 'chunks', 'memories']],
  );
  const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
  const megabytes = (bytes: string | undefined) => Math.round(Number(bytes) / 2 ** 20);
  console.error({
    ...filled,
    database: megabytes(rows[0]?.bytes),
    ...Object.fromEntries(sizes.rows.map(({ name, bytes }) => [name, megabytes(bytes)])),
  });
  const figures: Figure[] = [];
  for (const [userId, who] of [
    ['large', 'half of everything'],
    ['u7', `${CHUNKS_OF_OTHERS} chunks`],
  ] as const) {
    const taken: number[] = [];
    for (let run = -WARM; run < TIMES; run++) {
      const vector = await vectorFor(client, run + WARM);
      const terms = { terms: [[`w${1 + (run + WARM) * 3}`], [`w${200 + run + WARM}`]], prefix: null };
      const query = { terms, embedded: { modelId: MODEL, vector, weight: 0.5, floor: 0, late: null } };
      const taking = await time(() => storage.hybridIndex.search(userId, query, { limit: 120, filter: {} }));
      if (run >= 0) taken.push(taking);
    }
    const name = `query of a person with ${who}, ${filled.size} chunks in all`;
    console.error(name, quantile(taken, 0.5).toFixed(1), quantile(taken, 0.95).toFixed(1));
    figures.push({ name, value: quantile(taken, 0.5), unit: 'ms', limit: LIMIT });
  }
  return figures;
}

async function vectorFor(client: pg.Client, number: number): Promise<Float32Array> {
  const { rows } = await client.query<{ vector: string }>(
    'select l2_normalize(a.vector + b.vector)::text as vector from bases a, bases b where a.id = $1 and b.id = $2',
    [1 + ((number * 37) % 2_000), 1 + ((number * 101) % 2_000)],
  );
  return Float32Array.from(JSON.parse(rows[0]?.vector ?? '[]') as number[]);
}

/** Vectors are sums of two out of 2,000, and words are drawn so that few are frequent. */
const PREPARATION = `
  insert into models (name, dimensions) values ('${MODEL}', ${DIMENSIONS}) on conflict do nothing;
  create table bases (id integer primary key, vector halfvec(${DIMENSIONS}) not null);
  insert into bases select n, (select array_agg(random() - 0.5 + n * 0 + g * 0) from generate_series(1, ${DIMENSIONS}) g)::halfvec
    from generate_series(1, 2000) n;
  create function user_of(n bigint) returns text language sql immutable as
    $$ select case when n % 2 = 0 then 'large' else 'u' || n / 2 / ${CHUNKS_OF_OTHERS} end $$`;

/** Adds memories of one chunk with 60 words, in steps, so that no transaction is too large. */
async function fill(client: pg.Client, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += 20_000)
    await client.query(`
      create temporary table added as select n, user_of(n) as user_id, 'm' || lpad(n::text, 12, '0') as id,
          (select string_agg('w' || floor(20000 * power(random(), 3) + n * 0 + g * 0), ' ') from generate_series(1, 60) g) as text
        from generate_series(${start}::bigint, ${start + 20_000 - 1}) n;
      insert into memories (user_id, id, title, source_type, source_app, capture_mode, tags, metadata, page,
          content_hash, captured_at, last_captured_at, updated_at, title_key, embedded_by)
        select user_id, id, 'Title ' || n, 'note', 'bench', 'note', '[]', '{}', '{}', id, '2026-01-01T00:00:00.000Z',
          '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'title ' || n, 2 from added;
      insert into chunks (user_id, memory_id, position, text) select user_id, id, 0, text from added;
      create temporary table placed as
        select c.user_id, c.id, a.text, a.n from added a join chunks c on c.user_id = a.user_id and c.memory_id = a.id;
      insert into chunk_text (user_id, chunk_id, words, length, opening)
        select user_id, id, to_tsvector('simple', text), 60, left(text, 20) from placed;
      insert into embeddings (user_id, model_id, chunk_id, vector)
        select p.user_id, 1, p.id, l2_normalize(a.vector + b.vector) from placed p
        join bases a on a.id = 1 + p.n * 7919 % 2000 join bases b on b.id = 1 + p.n / 2000 * 31 % 2000;
      drop table added; drop table placed`);
}
