import Sqlite from 'better-sqlite3';
import { textOf } from './sample.js';

/**
 * Opens the store that a power cut left. Returns what is wrong with it; nothing if all that was acknowledged is there.
 */
export function judge(file: string, acknowledged: readonly string[]): string[] {
  if (acknowledged.length === 0) return [];
  let database: Sqlite.Database | undefined;
  try {
    database = new Sqlite(file, { fileMustExist: true });
    const integrity = database.pragma('integrity_check(3)', { simple: true });
    const noteOf = database.prepare('select note from memories where id = ?').pluck();
    const chunksOf = database.prepare('select text from chunks where memory_id = ? order by position').pluck();
    const lost = acknowledged.filter((line) => {
      const [what, id, number] = line.split(' ');
      if (what === 'edited') return noteOf.get(id) !== `edit ${number}`;
      return chunksOf.all(id).join('') !== textOf(Number(number));
    });
    return [...(integrity === 'ok' ? [] : [`damaged: ${integrity}`]), ...lost.map((line) => `lost: ${line}`)];
  } catch (error) {
    return [`unreadable: ${(error as Error).message}`];
  } finally {
    database?.close();
  }
}
