import type Sqlite from 'better-sqlite3';
import type { FoundRows } from './found-rows.js';
import { type Row, readAroundDamage, readRow, readUntilDamage } from './read-rows.js';

/** The unique index has separate pages. */
const INDEX = 'select id, user_id, memory_id, position from chunks order by user_id, memory_id, position';
const BACKWARDS =
  'select id, user_id, memory_id, position from chunks order by user_id desc, memory_id desc, position desc';
const TABLE = 'select id, user_id, memory_id, position from chunks not indexed where id between ? and ? order by id';

/** Finds the chunks of all memories, in the index and in the table. The table decides where they differ. */
export function findChunks(database: Sqlite.Database, found: FoundRows): void {
  const add = ({ id, user_id: userId, memory_id: memoryId, position }: Row) => {
    if (typeof userId !== 'string' || typeof memoryId !== 'string') return;
    if (!isNumber(id) || !isNumber(position)) return;
    found.addChunk({ userId, memoryId, position, row: id });
  };
  for (const row of readUntilDamage(database, INDEX)) add(row);
  for (const row of readUntilDamage(database, BACKWARDS)) add(row);
  for (const row of readAroundDamage(database, TABLE, lastRow(database, found))) add(row);
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function lastRow(database: Sqlite.Database, found: FoundRows): number {
  const given = readRow(database, "select seq as last from sqlite_sequence where name = 'chunks'")?.last;
  const stored = readRow(database, 'select max(id) as last from chunks')?.last;
  return Math.max(...[given, stored, found.lastChunk()].filter(isNumber));
}
