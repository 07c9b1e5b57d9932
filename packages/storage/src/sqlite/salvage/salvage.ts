import { join } from 'node:path';
import { type SalvagedRecord, toSalvagedRecord } from '@recollect/core';
import type Sqlite from 'better-sqlite3';
import { hasOwnText } from '../../memories/seal-of.js';
import { StoreRefusedError } from '../../store-refused-error.js';
import { followLinks, pathOf } from '../store-file.js';
import { copyStore } from './copy-store.js';
import { findChunks } from './find-chunks.js';
import { findIds } from './find-ids.js';
import { type FoundRows, openFoundRows } from './found-rows.js';
import { OF_MEMORY, OF_SITE, readPicture } from './read-picture.js';
import { readRow, readUntilDamage } from './read-rows.js';
import { readSavedSearches, type SalvagedSearch } from './read-saved-searches.js';

/** A memory that was read from a damaged store. */
export interface Salvaged {
  record: SalvagedRecord;
  /** Whether all of it was read: its fields and every part of its text. */
  isWhole: boolean;
}

/** The readable rest of a damaged store. */
export interface Salvage {
  /** Whether the store's WAL could not be read, so that the newest changes may be missing. */
  isWalLost: boolean;
  savedSearches: SalvagedSearch[];
  /** Every memory that can still be read, with highlights, history and picture. */
  memories(): Generator<Salvaged>;
  /** Removes the copy that it reads. */
  close(): Promise<void>;
}

/** Stands where a part of a text could not be read. */
const GAP = '\n[This part could not be read.]\n';

/** Follows a text that differs from the saved text without a gap between its parts. */
const END = '\n[This text was damaged. Its end may be missing.]\n';

/**
 * Reads a damaged store from a copy in `folder`, which must have room for it. The store itself is not changed. The
 * caller must close it. Throws {@link StoreRefusedError} if not even the schema can be read.
 *
 * @example
 * const found = await openSalvage('sqlite:/home/ann/recollect.db', '/tmp/salvaged');
 * for (const { record, isWhole } of found.memories()) write(record);
 * await found.close();
 */
export async function openSalvage(url: string, folder: string): Promise<Salvage> {
  const path = await followLinks(pathOf(url));
  const copy = await copyStore(path, folder).catch((error) => {
    const isReadable = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isReadable ? error : new StoreRefusedError('damaged', { cause: error });
  });
  const { database, hasLostWal } = copy;
  let found: FoundRows | undefined;
  const close = async () => {
    found?.close();
    database.close();
    await copy.remove();
  };
  try {
    const rows = openFoundRows(join(copy.folder, 'found-rows.db'));
    found = rows;
    findChunks(database, rows);
    findIds(database, rows);
    rows.finish();
    return {
      isWalLost: hasLostWal,
      savedSearches: readSavedSearches(database),
      *memories() {
        for (const { userId, id } of rows.memories()) yield readMemory(database, userId, id, rows.chunks(userId, id));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function readMemory(
  database: Sqlite.Database,
  userId: string,
  id: string,
  chunks: ReturnType<FoundRows['chunks']>,
): Salvaged {
  const row = readRow(database, 'select * from memories where user_id = ? and id = ?', userId, id);
  const read = readText(database, id, chunks);
  const isOwn =
    row === null || hasOwnText({ url_key: textOrNull(row.url_key), content_hash: `${row.content_hash}` }, read.text);
  // Missing parts after the last part that was found leave no gap.
  const { text, isWhole } = read.isWhole && !isOwn ? { text: read.text + END, isWhole: false } : read;
  const ofMemory = (table: string, order: string) => [
    ...readUntilDamage(
      database,
      `select * from ${table} where user_id = ? and memory_id = ? order by ${order}`,
      userId,
      id,
    ),
  ];
  return {
    record: toSalvagedRecord(id, row, {
      text,
      isWhole,
      picture: readPicture(database, OF_MEMORY, userId, id),
      favicon: readPicture(database, OF_SITE, userId, row?.site),
      highlights: ofMemory('highlights', 'created_at'),
      history: ofMemory('memory_history', 'position').map((entry) => ({
        ...entry,
        former_text: readRow(database, 'select text from former_texts where position = ?', entry.position)?.text,
      })),
    }),
    isWhole: isWhole && row !== null,
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The text of a memory, with a note in place of each part that could not be read. */
function readText(
  database: Sqlite.Database,
  id: string,
  chunks: ReturnType<FoundRows['chunks']>,
): { text: string; isWhole: boolean } {
  const parts: string[] = [];
  let isWhole = chunks.length > 0;
  const addGap = () => {
    isWhole = false;
    if (parts.at(-1) !== GAP) parts.push(GAP);
  };
  let next = 0;
  for (const { position, row } of chunks) {
    if (position > next) addGap();
    const text = readRow(database, 'select text from chunks where id = ?', row)?.text;
    // A zeroed block of the disk.
    const pieces = typeof text === 'string' ? text.split(/\0+/) : ['', ''];
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) addGap();
      if (piece !== '') parts.push(piece.toWellFormed());
    }
    next = position + 1;
  }
  const text = parts.join('');
  // An import takes memories with the same text for one.
  return { text: text.trim() === '' || text === GAP ? `[The text of memory ${id} could not be read.]` : text, isWhole };
}
