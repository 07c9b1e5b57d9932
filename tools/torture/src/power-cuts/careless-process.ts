import { mkdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { textOf } from './sample.js';

/**
 * Writes the same kind of rows with `synchronous = NORMAL`, which syncs no commit. The tool must find what this loses;
 * otherwise it would find nothing. Arguments: file, number.
 */
const [file = '', number = '0'] = process.argv.slice(2);
mkdirSync(dirname(file), { recursive: true });
const database = new Sqlite(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = NORMAL');
database.exec('create table memories (id text primary key, note text)');
database.exec('create table chunks (memory_id text, position integer, text text)');
for (let index = 0; index < Number(number); index++) {
  const id = `id-${index}`;
  database.transaction(() => {
    database.prepare('insert into memories (id) values (?)').run(id);
    database.prepare('insert into chunks values (?, 0, ?)').run(id, textOf(index));
  })();
  writeSync(1, `saved ${id} ${index}\n`);
}
database.close();
