import { createHash } from 'node:crypto';
import { normaliseText } from '@recollect/core/threads';
import type Sqlite from 'better-sqlite3';
import type { Tokenizer } from './create-tokenizer.js';

/** Changes that tell one store from another, and from an older copy of itself. */
const MARKED_CHANGES = 100;
/** Changes with the layout of the index, and with what a document is made from. */
const VERSION = 2;
/** A text whose words differ if texts are prepared otherwise. */
const SAMPLE =
  'The bees’ dances: naïve Straße, 東京 カ゛ 한국, O’Brien 48,250 parseHTTPHeaders mp3s والكتاب \u{1f41d} x_y';

/**
 * Identifies the texts up to a change, and the code that finds their words: an image of the index is used only where
 * its mark is the same. Null if the change is no longer known, or not there yet.
 */
export function markOf(database: Sqlite.Database, { tokensOf }: Tokenizer, sequence: number): string | null {
  const changes = database
    .prepare<[number, number], { sequence: number; user_id: string; memory_id: string }>(
      'select sequence, user_id, memory_id from index_changes where sequence <= ? order by sequence desc limit ?',
    )
    .all(sequence, MARKED_CHANGES);
  if (sequence > 0 && changes[0]?.sequence !== sequence) return null;
  const read = (sql: string) => database.prepare(sql).pluck().get();
  return createHash('sha256')
    .update(
      JSON.stringify([
        VERSION,
        read('select sqlite_version()'),
        read('select max(name) from kysely_migration'),
        tokensOf([normaliseText(SAMPLE)]),
        changes,
      ]),
    )
    .digest('hex');
}
