import type { ExportRecord } from '@recollect/contract';
import { isNumbers, RecollectError, readJson } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import { memoryColumns, toMemory } from '../memories/row.js';
import type { Tables } from '../tables.js';
import { readHistories } from './read-histories.js';
import { readImages } from './read-images.js';

type Reading = Pick<Database, 'reader' | 'list'>;

/** How often memories that change while they are read are read again. */
const ATTEMPTS = 5;
const BUSY = 'A memory changed every time it was read for the export. Export again.';

/**
 * Reads memories with all that belongs to them, in the given order. Leaves out those that no longer exist. Throws
 * UNAVAILABLE if one changed every time it was read.
 */
export async function readRecords(
  database: Reading,
  userId: string,
  ids: readonly string[],
  formerLength: number,
  attempts = ATTEMPTS,
): Promise<ExportRecord[]> {
  const rows = await readRows(database, userId, ids);
  const [pictures, texts, highlights, histories] = [
    await readImages(database, userId, ids),
    await readTexts(database, userId, ids),
    await readHighlights(database, userId, ids),
    await readHistories(database, userId, ids, formerLength),
  ];
  // Each of these reads sees the data committed by then.
  // If a memory changed in between, its parts do not belong together.
  const versions = new Map((await readVersions(database, userId, ids)).map((row) => [row.id, versionOf(row)]));
  const changed = rows.filter((row) => versions.get(row.id) !== versionOf(row)).map(({ id }) => id);
  if (attempts === 1 && changed.some((id) => versions.has(id))) throw new RecollectError('UNAVAILABLE', BUSY);
  const again =
    changed.length > 0 && attempts > 1 ? await readRecords(database, userId, changed, formerLength, attempts - 1) : [];
  const rereadById = new Map(again.map((record) => [record.id, record]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    if (changed.includes(id)) return rereadById.get(id) ?? [];
    const record = toRecord(row, texts.get(id) ?? '', highlights.get(id) ?? [], histories.get(id) ?? []);
    return [{ ...record, ...pictures.get(id) }];
  });
}

type Row = Awaited<ReturnType<typeof readRows>>[number];

function toRecord(
  row: Row,
  text: string,
  highlights: ExportRecord['highlights'],
  history: ExportRecord['history'],
): ExportRecord {
  const { id, title, url, tags, note, metadata, isLink, page, savedBy, ...memory } = toMemory(row);
  const { sourceType, sourceApp, captureMode, capturedAt, lastCapturedAt, updatedAt } = memory;
  const { starred, readState, progress, openedAt } = memory;
  const starts = row.turn_starts === null ? null : readJson(row.turn_starts, isNumbers, null);
  return {
    id,
    title,
    text,
    turns: row.turns === null ? null : { count: row.turns, starts },
    url,
    sourceType,
    sourceApp,
    captureMode,
    tags: [...tags],
    note,
    metadata: { ...metadata },
    page: { ...page },
    savedBy,
    capturedAt,
    lastCapturedAt,
    updatedAt,
    isLink,
    starred,
    readState,
    progress,
    openedAt,
    deletedAt: row.deleted_at,
    highlights,
    history,
  };
}

function readRows({ reader, list }: Reading, userId: string, ids: readonly string[]) {
  return reader
    .selectFrom('memories')
    .select(memoryColumns)
    .select(['turns', 'turn_starts', 'deleted_at', 'content_hash'])
    .where('user_id', '=', userId)
    .where('id', 'in', list.texts(ids))
    .execute();
}

function readVersions({ reader, list }: Reading, userId: string, ids: readonly string[]) {
  return reader
    .selectFrom('memories')
    .select(['id', 'updated_at', 'content_hash', 'deleted_at'])
    .where('user_id', '=', userId)
    .where('id', 'in', list.texts(ids))
    .execute();
}

function versionOf(row: Pick<Selectable<Tables['memories']>, 'updated_at' | 'content_hash' | 'deleted_at'>): string {
  return [row.updated_at, row.content_hash, row.deleted_at].join();
}

async function readTexts({ reader, list }: Reading, userId: string, ids: readonly string[]) {
  const rows = await reader
    .selectFrom('chunks')
    .select(['memory_id', 'text'])
    .where('user_id', '=', userId)
    .where('memory_id', 'in', list.texts(ids))
    .orderBy('memory_id')
    .orderBy('position')
    .execute();
  const texts = new Map<string, string>();
  for (const { memory_id, text } of rows) texts.set(memory_id, (texts.get(memory_id) ?? '') + text);
  return texts;
}

async function readHighlights({ reader, list }: Reading, userId: string, ids: readonly string[]) {
  const rows = await reader
    .selectFrom('highlights')
    .select(['memory_id', 'id', 'quote', 'prefix', 'suffix', 'note', 'created_at', 'updated_at'])
    .where('user_id', '=', userId)
    .where('memory_id', 'in', list.texts(ids))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const highlights = new Map<string, ExportRecord['highlights']>();
  for (const { memory_id, created_at: createdAt, updated_at: updatedAt, ...highlight } of rows) {
    const own = highlights.get(memory_id) ?? [];
    highlights.set(memory_id, [...own, { ...highlight, createdAt, updatedAt }]);
  }
  return highlights;
}
