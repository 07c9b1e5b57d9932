import { RecollectError } from '@recollect/core';
import { Kysely } from 'kysely';
import type { Connected } from '../dialect.js';
import { StoreRefusedError } from '../store-refused-error.js';
import type { Tables } from '../tables.js';
import { type StatementRunner, toConnection } from './connection.js';
import { createDialect } from './driver.js';
import { explainFault, isDamage } from './explain-fault.js';
import { createPool } from './pool.js';
import { createReaderPool, openReaders } from './readers.js';
import { createSearches } from './searches.js';
import { SqliteError } from './sqlite-error.js';
import { readFacts } from './store-facts.js';
import { DAMAGED } from './writer.js';

/** SQLite leaves out tables whose definitions it cannot read. */
const LOST = /^no such (?:table|column): /;

/**
 * Opens a damaged store for reading. Nothing is written: no connection can, and the last one to close cannot write the
 * WAL back either. Throws {@link StoreRefusedError} if not even its schema can be read.
 */
export async function connectReadOnly(path: string, readers: number): Promise<Connected> {
  const damaged = (error: unknown) => (isDamage(error) ? new StoreRefusedError('damaged', { cause: error }) : error);
  const reading = await openReaders({ threads: readers, path, isDamaged: true }).catch((error) => {
    throw damaged(error);
  });
  try {
    await reading.first.run('select name from sqlite_master limit 1');
  } catch (error) {
    await reading.close();
    throw damaged(error);
  }
  const explain = (error: unknown) => {
    const isLost = error instanceof SqliteError && LOST.test(error.message);
    throw isLost ? new RecollectError(DAMAGED.code, DAMAGED.message, { cause: error }) : explainFault(error, path);
  };
  const explained = ({ run, callWithin, close }: StatementRunner) =>
    toConnection({
      close,
      run: (...statement) => run(...statement).catch(explain),
      callWithin:
        (limit) =>
        (name, ...args) =>
          callWithin(limit)(name, ...args).catch(explain),
    });
  const rejecting: StatementRunner = {
    async run(sql) {
      if (sql === 'rollback') return { rows: [] };
      throw new RecollectError(DAMAGED.code, DAMAGED.message);
    },
    callWithin: () => async () => {
      throw new RecollectError(DAMAGED.code, DAMAGED.message);
    },
    async close() {},
  };
  const pool = createReaderPool(reading, explained);
  return {
    writer: new Kysely<Tables>({ dialect: createDialect(createPool([toConnection(rejecting)])) }),
    lookup: new Kysely<Tables>({ dialect: createDialect(createPool([explained(reading.lookup)])) }),
    reader: new Kysely<Tables>({ dialect: createDialect(pool) }),
    ...createSearches(pool),
    facts: () => readFacts(path),
    problem: () => DAMAGED,
    checkStructure: async () => [],
    close: reading.close,
  };
}
