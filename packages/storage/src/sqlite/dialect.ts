import { existsSync } from 'node:fs';
import { quantise } from '@recollect/in-memory-index';
import { type Kysely, sql } from 'kysely';
import { blocksOf } from '../blocks.js';
import type { ConnectOptions } from '../connect-options.js';
import type { Connected, StorageDialect, VectorIndexTable } from '../dialect.js';
import { StoreRefusedError } from '../store-refused-error.js';
import type { Tables } from '../tables.js';
import { connectExclusively } from './exclusive-store.js';
import { explainOpenFault, isDamage } from './explain-fault.js';
import { connectToFile } from './file-store.js';
import { migrations } from './migrations/index.js';
import { sqliteMoving } from './moving.js';
import { refuseNetwork } from './refuse-network.js';
import { sqliteSql } from './sql-dialect.js';
import { followLinks, MEMORY, pathOf } from './store-file.js';
import { textIndexTable } from './text-index-table.js';

/** Writes the rows of `embeddings`, one byte per dimension. */
const vectorIndexTable: VectorIndexTable = {
  async write(trx, rows) {
    for (const block of blocksOf(rows))
      await trx
        .insertInto('embeddings')
        .values(
          block.map(({ userId, modelId, chunkId, vector }) => ({
            user_id: userId,
            model_id: modelId,
            chunk_id: chunkId,
            vector: new Uint8Array(quantise(vector).buffer),
          })),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'model_id', 'chunk_id'])
            .doUpdateSet((eb) => ({ vector: eb.ref('excluded.vector') })),
        )
        .execute();
  },

  async remove(trx, rows) {
    if (rows.length === 0) return;
    const keys = rows.map(({ userId, modelId, chunkId }) => [userId, modelId, chunkId]);
    await sql`delete from embeddings where (user_id, model_id, chunk_id) in (
      select value ->> 0, value ->> 1, value ->> 2 from json_each(${JSON.stringify(keys)}))`.execute(trx);
  },
};

/** SQLite in a file (`sqlite:` and a path, or `file://`), or in memory (`sqlite::memory:`). */
export const sqliteDialect: StorageDialect = {
  connect,
  migrations,
  hasTable,
  sql: sqliteSql,
  textIndexTable,
  vectorIndexTable,
  moving: {
    ...sqliteMoving,
    openSource: (url, options) => orExplain(pathOf(url), () => sqliteMoving.openSource(url, options)),
    openTarget: (url, options) => orExplain(pathOf(url), () => sqliteMoving.openTarget(url, options)),
  },
};

async function connect(url: string, options: ConnectOptions): Promise<Connected> {
  const named = pathOf(url);
  return orExplain(named, async () => {
    if (named === MEMORY) return connectExclusively(named, options.readers > 0);
    const path = await followLinks(named);
    if (options.allowsNetwork !== true) await refuseNetwork(path);
    return connectToFile(path, options);
  });
}

/** Explains why a file was not opened. */
async function orExplain<Opened>(path: string, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    throw refusalOf(error) ?? explainOpenFault(error, path);
  }
}

async function hasTable(db: Kysely<Tables>, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(db);
  return rows.length > 0;
}

/** Whether a thread failed to start for lack of file descriptors: Node then reports an existing package as missing. */
function isUnreadablePackage(message: string): boolean {
  const folder = /^Cannot find package '(.+?[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/']+)/.exec(message)?.[1];
  return folder !== undefined && existsSync(folder);
}

/** An error that means that the store cannot be opened at all. */
function refusalOf(error: unknown): StoreRefusedError | null {
  if (error instanceof StoreRefusedError) return error;
  const { code, message } = error as { code?: unknown; message?: string };
  // A thread that could not be started reports that only in its message.
  const isOutOfFiles =
    code === 'EMFILE' || code === 'ENFILE' || /\bE[MN]FILE\b/.test(message ?? '') || isUnreadablePackage(message ?? '');
  if (isOutOfFiles) return new StoreRefusedError('too-many-files', { cause: error });
  const isUnreadable = isDamage(error) || (error instanceof Error && /not a database|malformed/.test(error.message));
  return isUnreadable ? new StoreRefusedError('not-a-database', { cause: error }) : null;
}
