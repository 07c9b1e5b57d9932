import { createHash } from 'node:crypto';
import type { MemoryRow } from './row.js';

/** The columns that a checksum covers, besides the text and the comments. Migrations read them too. */
export const checksumColumns = [
  'user_id',
  'id',
  'title',
  'url',
  'url_key',
  'site',
  'source_type',
  'source_app',
  'capture_mode',
  'tags',
  'note',
  'metadata',
  'page',
  'content_hash',
  'turns',
  'turn_starts',
  'client',
  'client_name',
  'client_key',
  'captured_at',
  'last_captured_at',
  'updated_at',
  'deleted_at',
  'deleted_elapsed',
] as const;

export type ChecksumRow = Pick<MemoryRow, (typeof checksumColumns)[number]> & Partial<Pick<MemoryRow, 'comments'>>;

/** SHA-256 over a memory's columns and its text. A memory that no longer matches it was changed by the disk. */
export function checksumOf(row: ChecksumRow, text: string): string {
  // Without comments, the checksum equals the one of earlier versions.
  const comments = row.comments == null ? [] : [row.comments];
  const values = [...checksumColumns.map((name) => row[name]), ...comments].map(wellFormed);
  return createHash('sha256').update(JSON.stringify(values)).update('\n').update(text).digest('base64url');
}

/** Whether a memory is as it was written. Without a checksum, only its text and address are known to be. */
export function isIntact(row: ChecksumRow & Pick<MemoryRow, 'seal'>, text: string): boolean {
  return row.seal === null ? hasOwnText(row, text) : row.seal === checksumOf(row, text);
}

/** Whether `content_hash` is the hash of the text. */
export function hasOwnText(row: Pick<MemoryRow, 'url_key' | 'content_hash'>, text: string): boolean {
  return row.content_hash === hashOf(row.url_key, text);
}

/** The content hash of a text at an address, as core's `contentHashOf` makes it. */
export function hashOf(urlKey: string | null, text: string): string {
  return createHash('sha256')
    .update(`${urlKey ?? ''}\n`)
    .update(text)
    .digest('hex');
}

/** As the database stores text: half of a surrogate pair is replaced. */
function wellFormed(value: string | number | null): string | number | null {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
