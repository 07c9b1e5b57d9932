import type Sqlite from 'better-sqlite3';
import type { FoundRows } from './found-rows.js';
import { readUntilDamage } from './read-rows.js';

/**
 * Sources of memory ids: the table from both ends, and the indexes, which have separate pages. An id that one of them
 * has lost is usually in another.
 */
const SOURCES = [
  'select user_id, id from memories not indexed order by user_id, id',
  'select user_id, id from memories not indexed order by user_id desc, id desc',
  'select user_id, id from memories indexed by memories_by_time where deleted_at is null',
  'select user_id, id from memories indexed by memories_by_time where deleted_at is null order by user_id desc, captured_at desc',
  'select user_id, id from memories indexed by memories_by_content where deleted_at is null',
  'select user_id, id from memories indexed by memories_by_deletion where deleted_at is not null',
];

/** Finds the keys of all memories that any index still knows. */
export function findIds(database: Sqlite.Database, found: FoundRows): void {
  for (const sql of SOURCES) {
    for (const { user_id: userId, id } of readUntilDamage(database, sql))
      if (typeof userId === 'string' && typeof id === 'string') found.addMemory(userId, id);
  }
}
