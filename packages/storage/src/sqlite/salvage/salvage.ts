import { join } from 'node:path';
import type { Image } from '@recollect/contract';
import { type SalvagedRecord, toImage, toSalvagedRecord } from '@recollect/core';
import Sqlite from 'better-sqlite3';
import { hasOwnText } from '../../memories/checksum.js';
import { StoreRefusedError } from '../../store-refused-error.js';
import { followLinks, pathOf } from '../store-file.js';
import { copyStore } from './copy-store.js';
import {
  type Row,
  readAroundDamage,
  readRow,
  readSavedSearches,
  readUntilDamage,
  type SalvagedSearch,
} from './read-rows.js';

/**
 * The rows found in a damaged store. They are kept in a file, since they may not fit into memory. Invalid ids are
 * ignored.
 */
interface FoundRows {
  addMemory(userId: string, id: string): void;
  /** Takes the place of another row with the same position. */
  addChunk(chunk: { userId: string; memoryId: string; position: number; row: number }): void;
  /** Must be called when everything was added. */
  finish(): void;
  /** The highest row number of a chunk. */
  lastChunk(): number;
  /** The memories in order, each once, including memories of which only chunks were found. */
  memories(): IterableIterator<{ userId: string; id: string }>;
  /** The rows of a memory's chunks that are known, by position. */
  chunks(userId: string, memoryId: string): { position: number; row: number }[];
  close(): void;
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const SCHEMA = `
  create table memories (user_id text, id text, primary key (user_id, id)) without rowid;
  create table chunks (
    user_id text, memory_id text, position integer, row integer, primary key (user_id, memory_id, position)
  ) without rowid;
  begin`;

const FINISH = `
  insert or ignore into memories select distinct user_id, memory_id from chunks;
  commit`;

/** Creates the file, which the caller removes. Nothing of it is worth a sync. */
function openFoundRows(path: string): FoundRows {
  const database = new Sqlite(path);
  database.pragma('journal_mode = off');
  database.pragma('synchronous = off');
  database.exec(SCHEMA);
  const addMemory = database.prepare('insert or ignore into memories values (?, ?)');
  const addChunk = database.prepare('insert or replace into chunks values (@userId, @memoryId, @position, @row)');
  const lastChunk = database.prepare('select max(row) from chunks').pluck();
  const memories = database.prepare('select user_id as userId, id from memories order by user_id, id');
  const chunks = database.prepare(
    'select position, row from chunks where user_id = ? and memory_id = ? order by position',
  );
  return {
    addMemory(userId, id) {
      if (ID.test(id)) addMemory.run(userId, id);
    },
    addChunk(chunk) {
      if (ID.test(chunk.memoryId)) addChunk.run(chunk);
    },
    finish: () => void database.exec(FINISH),
    lastChunk: () => Number(lastChunk.get() ?? 0),
    memories: () => memories.iterate() as IterableIterator<{ userId: string; id: string }>,
    chunks: (userId, memoryId) => chunks.all(userId, memoryId) as { position: number; row: number }[],
    close: () => void database.close(),
  };
}

/** The unique index has separate pages. */
const INDEX = 'select id, user_id, memory_id, position from chunks order by user_id, memory_id, position';
const BACKWARDS =
  'select id, user_id, memory_id, position from chunks order by user_id desc, memory_id desc, position desc';
const TABLE = 'select id, user_id, memory_id, position from chunks not indexed where id between ? and ? order by id';

/** Finds the chunks of all memories, in the index and in the table. The table decides where they differ. */
function findChunks(database: Sqlite.Database, foundRows: FoundRows): void {
  const add = ({ id, user_id: userId, memory_id: memoryId, position }: Row) => {
    if (typeof userId !== 'string' || typeof memoryId !== 'string') return;
    if (!isNumber(id) || !isNumber(position)) return;
    foundRows.addChunk({ userId, memoryId, position, row: id });
  };
  for (const row of readUntilDamage(database, INDEX)) add(row);
  for (const row of readUntilDamage(database, BACKWARDS)) add(row);
  for (const row of readAroundDamage(database, TABLE, lastRow(database, foundRows))) add(row);
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function lastRow(database: Sqlite.Database, foundRows: FoundRows): number {
  const sequence = readRow(database, "select seq as last from sqlite_sequence where name = 'chunks'")?.last;
  const stored = readRow(database, 'select max(id) as last from chunks')?.last;
  return Math.max(...[sequence, stored, foundRows.lastChunk()].filter(isNumber));
}

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
function findIds(database: Sqlite.Database, foundRows: FoundRows): void {
  for (const sql of SOURCES) {
    for (const { user_id: userId, id } of readUntilDamage(database, sql))
      if (typeof userId === 'string' && typeof id === 'string') foundRows.addMemory(userId, id);
  }
}

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
  let foundRows: FoundRows | undefined;
  const close = async () => {
    foundRows?.close();
    database.close();
    await copy.remove();
  };
  try {
    const rows = openFoundRows(join(copy.folder, 'found-rows.db'));
    foundRows = rows;
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

const IMAGE = 'select type, bytes from pictures where user_id = ? and hash = ';

/** The picture of a memory, by its id. */
const OF_MEMORY = `${IMAGE}(select hash from memory_pictures where user_id = ? and memory_id = ?)`;
/** The favicon of a site. */
const OF_SITE = `${IMAGE}(select hash from site_favicons where user_id = ? and site = ?)`;

/** An image as an export has it; null if there is none, or none that can be read. */
function readPicture(database: Sqlite.Database, sql: string, userId: string, key: unknown): Image | null {
  if (typeof key !== 'string') return null;
  const { type, bytes } = readRow(database, sql, userId, userId, key) ?? {};
  return typeof type === 'string' && bytes instanceof Uint8Array ? toImage({ type, bytes }) : null;
}
