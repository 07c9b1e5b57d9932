import { stat } from 'node:fs/promises';
import Sqlite from 'better-sqlite3';
import { checkStructure } from './check-structure.js';
import { isReplaced, markDamaged, readDamageMark, removeDamageMark } from './damage-mark.js';
import { isDamage } from './explain-fault.js';
import { SqliteError } from './sqlite-error.js';

/**
 * Looks for damage before a store is opened for writing. Returns a description of the damage, or null. Takes
 * milliseconds for a store of any size: it reads the schema and the first row of each table. Only a store that was
 * marked as damaged and has changed since is checked as a whole.
 */
export async function findDamage(path: string): Promise<string | null> {
  const mark = readDamageMark(path);
  if (mark !== null && !isReplaced(path, mark)) return mark.reason;
  const found = await readEachTable(path);
  if (mark === null) {
    if (found !== null) markDamaged(path, found);
    return found;
  }
  const [problem = null] = found === null ? (await checkStructure(path)).problems : [found];
  if (problem === null) removeDamageMark(path);
  else markDamaged(path, problem);
  return problem;
}

async function readEachTable(path: string): Promise<string | null> {
  let database: Sqlite.Database | undefined;
  try {
    database = new Sqlite(path, { readonly: true });
    const names = database
      .prepare("select name from sqlite_master where type = 'table' and rootpage > 0")
      .pluck()
      .all() as string[];
    for (const name of names) database.prepare(`select 1 from "${name}" limit 1`).all();
    const [pages, bytes] = ['page_count', 'page_size'].map((name) => Number(database?.pragma(name, { simple: true })));
    const { size } = await stat(path);
    const hasWal = (await stat(`${path}-wal`).catch(() => null))?.size ?? 0;
    return hasWal === 0 && size < (pages ?? 0) * (bytes ?? 0) ? 'The file was cut short.' : null;
  } catch (error) {
    const { message, code = 'ERROR' } = error as Error & { code?: string };
    // Other errors are explained when the store is opened.
    return isDamage(new SqliteError(message, code)) ? message : null;
  } finally {
    database?.close();
  }
}
