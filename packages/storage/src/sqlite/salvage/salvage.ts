import { join } from 'node:path';
import { type SalvagedRecord, toSalvagedRecord } from '@recollect/core';
import type Sqlite from 'better-sqlite3';
import { StoreRefusedError } from '../../store-refused-error.js';
import { followLinks, pathOf } from '../store-file.js';
import { copyStore } from './copy-store.js';
import { findChunks } from './find-chunks.js';
import { findIds } from './find-ids.js';
import { type FoundRows, openFoundRows } from './found-rows.js';
import { readRow, readUntilDamage } from './read-rows.js';

/** A memory that was read from a damaged store. */
export interface Salvaged {
  record: SalvagedRecord;
  /** Whether all of it was read: its fields and every part of its text. */
  isWhole: boolean;
}

export interface SalvageOptions {
  /** Called if the store's WAL could not be read, so that the newest changes may be missing. */
  onLostWal?: () => void;
}

/** Stands where a part of a text could not be read. */
const GAP = '\n[This part could not be read.]\n';

/**
 * Reads every memory that can still be read, with highlights and history, from a copy of a damaged store in `folder`, which must
 * have room for it. The store itself is not changed. Throws {@link StoreRefusedError} if not even its schema can be read.
 *
 * @example
 * for await (const { record, isWhole } of salvage('sqlite:/home/ann/recollect.db', '/tmp/salvaged')) write(record);
 */
export async function* salvage(
  url: string,
  folder: string,
  { onLostWal = () => {} }: SalvageOptions = {},
): AsyncGenerator<Salvaged> {
  const path = await followLinks(pathOf(url));
  const copy = await copyStore(path, folder).catch((error) => {
    const isReadable = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isReadable ? error : new StoreRefusedError('damaged', { cause: error });
  });
  let found: FoundRows | undefined;
  try {
    if (copy.hasLostWal) onLostWal();
    found = openFoundRows(join(copy.folder, 'found-rows.db'));
    findChunks(copy.database, found);
    findIds(copy.database, found);
    found.finish();
    for (const { userId, id } of found.memories())
      yield readMemory(copy.database, userId, id, found.chunks(userId, id));
  } finally {
    found?.close();
    copy.database.close();
    await copy.remove();
  }
}

function readMemory(
  database: Sqlite.Database,
  userId: string,
  id: string,
  chunks: ReturnType<FoundRows['chunks']>,
): Salvaged {
  const row = readRow(database, 'select * from memories where user_id = ? and id = ?', userId, id);
  const { text, isWhole } = readText(database, chunks);
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
      highlights: ofMemory('highlights', 'created_at'),
      history: ofMemory('memory_history', 'position').map((entry) => ({
        ...entry,
        former_text: readRow(database, 'select text from former_texts where position = ?', entry.position)?.text,
      })),
    }),
    isWhole: isWhole && row !== null,
  };
}

/** The text of a memory, with a note in place of each part that could not be read. */
function readText(
  database: Sqlite.Database,
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
    if (typeof text === 'string') parts.push(text);
    else addGap();
    next = position + 1;
  }
  return { text: parts.join('') || GAP.trim(), isWhole };
}
