import { isObject, type LinkingNote, linkKeysIn, type NamedNote, readJson } from '@recollect/core';
import type { Kysely } from 'kysely';
import { blocksOf } from '../blocks.js';
import { enqueue } from '../enqueue.js';
import type { Tables, Trx } from '../tables.js';
import { activeMemories } from './active-memories.js';
import { titleKey } from './sort.js';

/** A chunk of which the links are stored. */
interface LinkingChunk {
  userId: string;
  memoryId: string;
  id: number;
  text: string;
  /** The address of the memory. */
  url: string | null;
}

/** Stores the memories that chunks link to, by name or by address. They are removed with the chunks. */
export async function insertNoteLinks(trx: Trx, chunks: readonly LinkingChunk[]): Promise<void> {
  const rows = chunks.flatMap(({ userId, memoryId, id, text, url }) =>
    linkKeysIn(text, { url }).map((name_key) => ({ user_id: userId, memory_id: memoryId, chunk_id: id, name_key })),
  );
  for (const block of blocksOf(rows)) await enqueue(trx, trx.insertInto('note_links').values(block));
}

/** The live memories whose file or title has one of these keys, in the order of their ids. */
export async function readNotesNamed(
  reader: Kysely<Tables>,
  userId: string,
  keys: readonly string[],
  limit: number,
): Promise<NamedNote[]> {
  const keySet = new Set(keys);
  const named = (column: 'name_key' | 'title_key') =>
    activeMemories(reader, userId)
      .select(['id', 'title', 'title_key', 'name_key', 'metadata'])
      .where(column, 'in', [...keys])
      .orderBy('id')
      .limit(limit)
      .execute();
  const rows = [...(await named('name_key')), ...(await named('title_key'))];
  const notes = rows.map(({ id, title, title_key, name_key, metadata }): [string, NamedNote] => {
    const { fileName } = readJson(metadata, isObject, {}) as Readonly<Record<string, unknown>>;
    const names = [...new Set([name_key, title_key])].filter((key) => key !== null && keySet.has(key));
    return [id, { id, title, fileName: typeof fileName === 'string' ? fileName : null, keys: names as string[] }];
  });
  return [...new Map(notes).values()].sort((first, second) => (first.id < second.id ? -1 : 1));
}

/** The live memories that link to a note with one of these keys, newest first. */
export async function readNotesLinkingTo(
  reader: Kysely<Tables>,
  userId: string,
  keys: readonly string[],
  limit: number,
): Promise<LinkingNote[]> {
  const rows = await activeMemories(reader, userId)
    .select(['memories.id', 'memories.title', 'memories.captured_at as capturedAt'])
    .where('memories.id', 'in', (builder) =>
      builder
        .selectFrom('note_links')
        .select('note_links.memory_id')
        .where('note_links.user_id', '=', userId)
        .where('note_links.name_key', 'in', [...keys]),
    )
    .orderBy('memories.captured_at', 'desc')
    .orderBy('memories.id', 'desc')
    .limit(limit)
    .execute();
  return rows;
}

/** Sorts after all letters. */
const LAST = '\u{10ffff}';

/** The live memories whose titles begin with a text, by title: a range of the index of titles. */
export function readTitles(
  reader: Kysely<Tables>,
  userId: string,
  text: string,
  limit: number,
): Promise<LinkingNote[]> {
  const key = titleKey(text);
  return activeMemories(reader, userId)
    .select(['id', 'title', 'captured_at as capturedAt'])
    .where('title_key', '>=', key)
    .where('title_key', '<', key + LAST)
    .orderBy('title_key')
    .orderBy('id')
    .limit(limit)
    .execute();
}
