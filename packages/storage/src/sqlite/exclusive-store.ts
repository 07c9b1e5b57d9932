import { Kysely } from 'kysely';
import type { Connected } from '../dialect.js';
import type { Tables } from '../tables.js';
import { toConnection } from './connection.js';
import { createDialect } from './driver.js';
import { openConnection } from './open-connection.js';
import { createPool } from './pool.js';
import { createSearches } from './searches.js';
import { readFacts } from './store-facts.js';
import { MEMORY } from './store-file.js';
import { createStoreWatch } from './store-watch.js';
import { DAMAGED, openWriter } from './writer.js';

/**
 * Opens a store in memory, or one that no other process can use meanwhile, with one connection for everything: in its
 * own thread, or on the calling thread.
 */
export async function connectExclusively(path: string, hasThreads: boolean): Promise<Connected> {
  const watch = path === MEMORY ? null : createStoreWatch(path);
  const open = () => openConnection({ path, readonly: false, isExclusive: path !== MEMORY }, hasThreads);
  const isInPlace = () => watch?.isInPlace() ?? true;
  const reopen = (close: () => Promise<void>) => {
    const reopened = async () => {
      await close();
      return open();
    };
    // The only connection: SQLite removes the WAL when it closes, and the next one makes another.
    return watch === null ? reopened() : watch.whileLogsChange(reopened);
  };
  const writing = await openWriter({ path, open, isInPlace, reopen }).catch((error) => {
    watch?.close();
    throw error;
  });
  watch?.start({
    halt: writing.halt,
    onDamage: () => writing.halt(DAMAGED),
    source: { run: writing.runAnyway },
  });
  const pool = createPool([toConnection(writing)]);
  const writer = new Kysely<Tables>({ dialect: createDialect(pool) });
  return {
    ...createSearches(pool),
    writer,
    reader: writer,
    lookup: writer,
    facts: () => readFacts(path),
    problem: () => writing.problem,
    async close() {
      await watch?.stop();
      await writing.close();
      watch?.close();
    },
  };
}
