import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import Sqlite from 'better-sqlite3';
import { checkStructure } from './check-structure.js';
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
  const damage = await readEachTable(path);
  if (mark === null) {
    if (damage !== null) markDamaged(path, damage);
    return damage;
  }
  const [problem = null] = damage === null ? (await checkStructure(path)).problems : [damage];
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

/** Facts about a damaged store. They are kept beside the file, because nothing is written into a damaged store. */
interface DamageMark {
  /** ISO 8601. */
  at: string;
  /** The message of SQLite. */
  reason: string;
  /** The file's size and time of change, by which another file in its place is noticed. */
  size: number;
  changedAt: number;
}

const damageMarkPath = (path: string) => `${path}-damaged`;

/** Null if the store is not marked as damaged, or if its mark cannot be read. */
function readDamageMark(path: string): DamageMark | null {
  try {
    const mark = JSON.parse(readFileSync(damageMarkPath(path), 'utf8')) as DamageMark;
    return typeof mark?.reason === 'string' ? mark : null;
  } catch {
    return null;
  }
}

/** Whether the file has changed since it was marked, for example because a backup was put in its place. */
function isReplaced(path: string, mark: DamageMark): boolean {
  const { size, mtimeMs } = statSync(path);
  return size !== mark.size || mtimeMs !== mark.changedAt;
}

/** Marks a store as damaged. If that fails, the damage is found again when the damaged page is read. */
export function markDamaged(path: string, reason: string): void {
  try {
    const { size, mtimeMs } = statSync(path);
    const mark: DamageMark = { at: new Date().toISOString(), reason, size, changedAt: mtimeMs };
    writeFileSync(damageMarkPath(path), `${JSON.stringify(mark)}\n`, { mode: 0o600 });
  } catch {
    // Changes are rejected all the same, until this process ends.
  }
}

/** Removes the mark, once the store is whole again. */
export function removeDamageMark(path: string): void {
  rmSync(damageMarkPath(path), { force: true });
}
