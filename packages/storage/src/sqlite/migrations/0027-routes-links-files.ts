import { urlKey } from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import { checksumOf, hashOf, isIntact } from '../../memories/checksum.js';
import { readChecksumContents } from '../../memories/checksums.js';
import { keepPreviousHash } from '../../memories/previous-hashes.js';
import type { Tables, Trx } from '../../tables.js';
import { sqliteSql } from '../sql-dialect.js';

/**
 * Routes after `#` become part of an address, so pages of one app are not versions of each other. Links are marked by a
 * column, which no client can set, and memories of files have a source type.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`alter table memories add column is_link integer not null default 0`.execute(db);
  await sql`update memories set is_link = 1
    where metadata like '%"content":"link"%' and url is not null and capture_mode = 'page'
      and json_valid(metadata) and metadata ->> '$.content' = 'link'`.execute(db);
  // Damaged memories keep their values, since a new seal would hide the damage.
  const changed = await sql<Changed>`select user_id, id, url, url_key, source_type from memories
    where instr(url, '#') > 0
      or (source_type = 'note' and json_valid(metadata) and json_type(metadata, '$.fileName') = 'text')`.execute(db);
  for (const row of changed.rows) await change(db as Trx, row);
}

type Changed = Pick<Tables['memories'], 'user_id' | 'id' | 'url' | 'url_key' | 'source_type'>;

async function change(trx: Trx, { user_id, id, url, url_key, source_type }: Changed): Promise<void> {
  const key = url === null ? null : urlKey(url);
  const type = source_type === 'note' ? 'file' : source_type;
  if (key === url_key && type === source_type) return;
  const contents = await readChecksumContents(trx, sqliteSql.isIn, user_id, [id], { hasComments: false });
  for (const { row, text } of contents) {
    if (!isIntact(row, text)) return;
    const next = { ...row, url_key: key, source_type: type, content_hash: hashOf(key, text) };
    const { content_hash } = next;
    const seal = row.seal === null ? null : checksumOf(next, text);
    await trx
      .updateTable('memories')
      .set({ url_key: key, source_type: type, content_hash, seal })
      .where('user_id', '=', user_id)
      .where('id', '=', id)
      .execute();
  }
  if (key === url_key) return;
  const former = await trx
    .selectFrom('former_texts')
    .innerJoin('memory_history', 'memory_history.position', 'former_texts.position')
    .select('text')
    .where('user_id', '=', user_id)
    .where('memory_id', '=', id)
    .where('kind', '=', 'edited')
    .execute();
  for (const { text } of former) await keepPreviousHash({ trx, userId: user_id }, id, hashOf(key, text));
}
