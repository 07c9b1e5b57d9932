import type { Image } from '@recollect/contract';
import { toImage } from '@recollect/core';
import type Sqlite from 'better-sqlite3';
import { readRow } from './read-rows.js';

const IMAGE = 'select type, bytes from pictures where user_id = ? and hash = ';

/** The picture of a memory, by its id. */
export const OF_MEMORY = `${IMAGE}(select hash from memory_pictures where user_id = ? and memory_id = ?)`;
/** The favicon of a site. */
export const OF_SITE = `${IMAGE}(select hash from site_favicons where user_id = ? and site = ?)`;

/** An image as an export has it; null if there is none, or none that can be read. */
export function readPicture(database: Sqlite.Database, sql: string, userId: string, key: unknown): Image | null {
  if (typeof key !== 'string') return null;
  const { type, bytes } = readRow(database, sql, userId, userId, key) ?? {};
  return typeof type === 'string' && bytes instanceof Uint8Array ? toImage({ type, bytes }) : null;
}
