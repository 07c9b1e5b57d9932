import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../tables.js';

type StoredModel = Selectable<Tables['models']>;

/** The most dimensions of an index over half-precision vectors. */
const MAX_DIMENSIONS = 4_000;
/** Embeddings of a model from which on it gets an index. */
const MIN_ROWS = 10_000;
/** Milliseconds after which an index that could not be made is tried again. */
const RETRY_AFTER = 600_000;

/** The indexes of the vectors, one for each model, since a column of vectors of different lengths has none. */
export interface ModelIndexes {
  /** Whether a model has an index. If it lacks one, makes it in the background. */
  ensure(model: StoredModel): Promise<boolean>;
  /** Makes the index of a model if it has many embeddings. */
  prepare(model: StoredModel): Promise<void>;
}

/**
 * @param db runs statements outside of transactions
 * @param onNotice receives a sentence that says why searches are slower than they could be
 */
export function createModelIndexes(db: Kysely<Tables>, onNotice: (notice: string) => void): ModelIndexes {
  const ready = new Set<number>();
  const tried = new Map<number, number>();

  const isReady = async (model: StoredModel) => {
    if (ready.has(model.id)) return true;
    const { rows } = await sql`
      select 1 from pg_index where indexrelid = to_regclass(${nameOf(model)}) and indisvalid`.execute(db);
    if (rows.length > 0) ready.add(model.id);
    return rows.length > 0;
  };

  const make = async (model: StoredModel) => {
    if (model.dimensions > MAX_DIMENSIONS || performance.now() < (tried.get(model.id) ?? 0)) return;
    tried.set(model.id, performance.now() + RETRY_AFTER);
    const name = sql.id(nameOf(model));
    const type = sql.raw(`halfvec(${model.dimensions})`);
    try {
      // An invalid one was left by a process that ended.
      await sql`drop index concurrently if exists ${name}`.execute(db);
      await sql`create index concurrently ${name} on embeddings using hnsw ((vector::${type}) halfvec_cosine_ops)
        with (m = 16, ef_construction = 64) where model_id = ${sql.lit(model.id)}`.execute(db);
    } catch (error) {
      onNotice(`The index of the vectors was not made, so searches compare all of them: ${String(error)}`);
    }
  };

  return {
    async ensure(model) {
      if (await isReady(model)) return true;
      void make(model);
      return false;
    },
    async prepare(model) {
      const some = db.selectFrom('embeddings').select('chunk_id').where('model_id', '=', model.id);
      if (await isReady(model)) return;
      const many = await some.offset(MIN_ROWS).limit(1).executeTakeFirst();
      if (many !== undefined) await make(model);
    },
  };
}

function nameOf({ id }: StoredModel): string {
  return `embeddings_by_vector_${id}`;
}
