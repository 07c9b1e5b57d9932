import { domainToUnicode } from 'node:url';
import { propertiesOf } from '@recollect/contract/properties';
import { parseUrl } from '@recollect/contract/text';
import type { Comment, Memory } from '@recollect/core';
import type { TextRow } from '../dialect.js';
import type { IndexTables, UserTransaction } from '../user-transaction.js';
import { findWords } from './find-words.js';

/** The fields of a memory that full text covers besides its text. */
export type Indexed = Pick<Memory, 'title' | 'tags' | 'note' | 'metadata' | 'page' | 'url'> & {
  comments: readonly Comment[];
};

/**
 * Writes the full-text rows of chunks: each with the memory's title, the first one also with {@link notesOf} it and its
 * comments.
 */
export async function writeTextRows(
  transaction: UserTransaction,
  memory: Indexed & { id: string },
  chunks: readonly { id: number; position: number; text: string }[],
): Promise<void> {
  transaction.changed.add(memory.id);
  await writeText(
    transaction,
    chunks.map((chunk) => textRowOf(transaction.userId, memory, chunk)),
  );
}

/** Full-text rows in one statement. The words of one block are added while the words of the next are extracted. */
const TEXT_ROWS = 64;

/** Writes full-text rows, and the words that mistyped ones may be corrected to. */
export async function writeText(
  { trx, userId, indexes }: Pick<UserTransaction, 'trx' | 'userId'> & { indexes: Pick<IndexTables, 'text'> },
  rows: readonly TextRow[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += TEXT_ROWS) {
    const some = rows.slice(at, at + TEXT_ROWS);
    // The connection's thread writes many rows while this one finds their words.
    const written = indexes.text.write(trx, some);
    const titles = new Set(some.map(({ title }) => title));
    const words = findWords(
      [...titles],
      some.flatMap(({ body, notes, comments }) => [body, notes, comments]),
    );
    await written;
    await indexes.text.addWords(trx, userId, words);
  }
}

/** The full-text row of a chunk. */
export function textRowOf(
  userId: string,
  memory: Indexed,
  { id, position, text }: { id: number; position: number; text: string },
): TextRow {
  return {
    userId,
    chunkId: id,
    title: memory.title,
    body: text,
    notes: position === 0 ? notesOf(memory) : '',
    comments: position === 0 ? memory.comments.map(({ author, text }) => `${author}\n${text}`).join('\n') : '',
  };
}

/**
 * Returns the full text besides title and text: tags, note, the name of a file and its properties, and of a page its
 * author, the name of its site and the words of its address.
 */
export function notesOf({ tags, note, metadata, page, url }: Omit<Indexed, 'title' | 'comments'>): string {
  const properties = propertiesOf(metadata).map(([, value]) => value);
  const { fileName, author = page.author, siteName = page.siteName } = metadata;
  return [...tags, note, fileName, ...properties, author, siteName, addressWords(url ?? '')]
    .filter((part) => typeof part === 'string' && part !== '')
    .join('\n');
}

/** Replaces the full-text rows of chunks, after a change of title, tags or note. */
export async function replaceTextRows(
  transaction: UserTransaction,
  memory: Indexed & { id: string },
  chunks: readonly { id: number; position: number; text: string }[],
): Promise<void> {
  await deleteTextRows(transaction, chunks);
  await writeTextRows(transaction, memory, chunks);
}

/** Removes the full-text rows of chunks, which the change sequence names. */
export async function removeTextRows(
  transaction: UserTransaction,
  memoryId: string,
  chunks: readonly { id: number }[],
): Promise<void> {
  const { changed, removedChunks } = transaction;
  changed.add(memoryId);
  addRemoved(
    removedChunks,
    chunks.map(({ id }) => ({ memoryId, chunkId: id })),
  );
  await deleteTextRows(transaction, chunks);
}

async function deleteTextRows(
  { trx, userId, indexes }: UserTransaction,
  chunks: readonly { id: number }[],
): Promise<void> {
  await indexes.text.remove(
    trx,
    chunks.map(({ id }) => ({ userId, chunkId: id })),
  );
}

/** Removes a memory's embeddings of all models. */
export async function removeEmbeddings(
  { trx, userId, indexes, changed, removedChunks }: UserTransaction,
  memoryId: string,
): Promise<void> {
  await trx.deleteFrom('embedded_memories').where('user_id', '=', userId).where('memory_id', '=', memoryId).execute();
  const keys = await trx
    .selectFrom('embeddings')
    .innerJoin('chunks', 'chunks.id', 'embeddings.chunk_id')
    .select(['embeddings.user_id as userId', 'embeddings.model_id as modelId', 'embeddings.chunk_id as chunkId'])
    .where('embeddings.user_id', '=', userId)
    .where('chunks.user_id', '=', userId)
    .where('chunks.memory_id', '=', memoryId)
    .execute();
  changed.add(memoryId);
  addRemoved(
    removedChunks,
    keys.map(({ chunkId }) => ({ memoryId, chunkId })),
  );
  await indexes.vectors.remove(trx, keys);
}

/** Notes chunks whose index rows are removed, for the change sequence. */
export function addRemoved(
  removedChunks: UserTransaction['removedChunks'],
  chunks: readonly { memoryId: string; chunkId: number }[],
): void {
  for (const { memoryId, chunkId } of chunks) {
    const removed = removedChunks.get(memoryId);
    if (removed === undefined) removedChunks.set(memoryId, new Set([chunkId]));
    else removed.add(chunkId);
  }
}

/** File endings that say how a page is made, with the name of a folder's own page. */
const PAGE_FILE = /(?:\/index)?\.(?:html?|xhtml|php|aspx?|jsp|cgi)$/i;

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Characters of a path that are indexed. */
const MAX_PATH_CHARACTERS = 300;

/**
 * The words of a page's address that somebody may remember: of the host without `www.`, and of the path. Left out
 * are ids, numbers of one or two digits, the parts after `?` or `#`, and an address that is a number itself.
 *
 * @example
 * addressWords('https://www.lwn.net/Articles/123456/scheduler-notes.html?src=7');
 * // 'lwn net Articles 123456 scheduler notes'
 */
export function addressWords(address: string): string {
  const url = parseUrl(address);
  if (url === null) return '';
  const { hostname, pathname } = url;
  const isNumber = /^[\d.]*$|^\[/.test(hostname);
  const host = isNumber ? [] : domainToUnicode(hostname.replace(/^www\./, '')).split('.');
  const path = decode(pathname).replace(PAGE_FILE, '').replace(UUID, ' ').slice(0, MAX_PATH_CHARACTERS);
  return [...host, ...path.split(/[^\p{L}\p{N}\p{M}]+/u).filter(isMemorable)].join(' ');
}

function decode(path: string): string {
  return path.replace(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      // It is not UTF-8.
      return ' ';
    }
  });
}

/** Whether it is a word or a short number rather than an id. */
function isMemorable(word: string): boolean {
  return word !== '' && (!/\d/.test(word) || (word.length > 2 && word.length < 8));
}
