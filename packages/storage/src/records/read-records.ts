import type { ExportRecord, Image } from '@recollect/contract';
import { isNumbers, isObject, RecollectError, readJson, toImage } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import { entryValues, textOf } from '../memories/history-store.js';
import { commentedColumns, commentsOf, toMemory } from '../memories/row.js';
import type { Tables } from '../tables.js';

type Reading = Pick<Database, 'reader' | 'isIn'>;

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
  previousLength: number,
  attempts = ATTEMPTS,
): Promise<ExportRecord[]> {
  const rows = await readRows(database, userId, ids);
  const [pictures, texts, highlights, histories] = [
    await readImages(database, userId, ids),
    await readTexts(database, userId, ids),
    await readHighlights(database, userId, ids),
    await readHistories(database, userId, ids, previousLength),
  ];
  // Each of these reads sees the data committed by then.
  // If a memory changed in between, its parts do not belong together.
  const versions = new Map((await readVersions(database, userId, ids)).map((row) => [row.id, versionOf(row)]));
  const changed = rows.filter((row) => versions.get(row.id) !== versionOf(row)).map(({ id }) => id);
  if (attempts === 1 && changed.some((id) => versions.has(id))) throw new RecollectError('UNAVAILABLE', BUSY);
  const again =
    changed.length > 0 && attempts > 1
      ? await readRecords(database, userId, changed, previousLength, attempts - 1)
      : [];
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
  const { starred, readState, progress, openedAt, place } = memory;
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
    place,
    deletedAt: row.deleted_at,
    ...(row.comments === null ? {} : { comments: commentsOf(row) }),
    highlights,
    history,
  };
}

function readRows({ reader, isIn }: Reading, userId: string, ids: readonly string[]) {
  return reader
    .selectFrom('memories')
    .select(commentedColumns(userId))
    .select(['turns', 'turn_starts', 'deleted_at', 'content_hash'])
    .where('user_id', '=', userId)
    .where(isIn('id', ids))
    .execute();
}

function readVersions({ reader, isIn }: Reading, userId: string, ids: readonly string[]) {
  return reader
    .selectFrom('memories')
    .select(['id', 'updated_at', 'content_hash', 'deleted_at'])
    .where('user_id', '=', userId)
    .where(isIn('id', ids))
    .execute();
}

function versionOf(row: Pick<Selectable<Tables['memories']>, 'updated_at' | 'content_hash' | 'deleted_at'>): string {
  return [row.updated_at, row.content_hash, row.deleted_at].join();
}

async function readTexts({ reader, isIn }: Reading, userId: string, ids: readonly string[]) {
  const rows = await reader
    .selectFrom('chunks')
    .select(['memory_id', 'text'])
    .where('user_id', '=', userId)
    .where(isIn('memory_id', ids))
    .orderBy('memory_id')
    .orderBy('position')
    .execute();
  const texts = new Map<string, string>();
  for (const { memory_id, text } of rows) texts.set(memory_id, (texts.get(memory_id) ?? '') + text);
  return texts;
}

async function readHighlights({ reader, isIn }: Reading, userId: string, ids: readonly string[]) {
  const rows = await reader
    .selectFrom('highlights')
    .select([
      'memory_id',
      'id',
      'quote',
      'prefix',
      'suffix',
      'note',
      'colour',
      'created_at as createdAt',
      'updated_at as updatedAt',
      'reviewed_at as reviewedAt',
      'dismissed',
    ])
    .where('user_id', '=', userId)
    .where(isIn('memory_id', ids))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const highlights = new Map<string, ExportRecord['highlights']>();
  for (const { memory_id, dismissed, ...highlight } of rows) {
    const memoryHighlights = highlights.get(memory_id) ?? [];
    highlights.set(memory_id, [...memoryHighlights, { ...highlight, dismissed: dismissed === 1 }]);
  }
  return highlights;
}

/** The pictures of memories as an export has them, by memory. */
async function readImages(
  { reader, isIn }: Pick<Database, 'reader' | 'isIn'>,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, { picture?: Image; favicon?: Image }>> {
  const pictures = await reader
    .selectFrom('memory_pictures as link')
    .innerJoin('pictures', (join) => join.on('pictures.user_id', '=', userId).onRef('pictures.hash', '=', 'link.hash'))
    .select(['link.memory_id', 'type', 'bytes'])
    .where('link.user_id', '=', userId)
    .where(isIn('link.memory_id', ids))
    .execute();
  const ofSites = await reader
    .selectFrom('memories')
    .innerJoin('site_favicons as link', (join) =>
      join.on('link.user_id', '=', userId).onRef('link.site', '=', 'memories.site'),
    )
    .innerJoin('pictures', (join) => join.on('pictures.user_id', '=', userId).onRef('pictures.hash', '=', 'link.hash'))
    .select(['memories.id', 'type', 'bytes'])
    .where('memories.user_id', '=', userId)
    .where(isIn('memories.id', ids))
    .execute();
  const images = new Map<string, { picture?: Image; favicon?: Image }>();
  for (const { memory_id: id, ...picture } of pictures) images.set(id, { picture: toImage(picture) });
  for (const { id, ...favicon } of ofSites) images.set(id, { ...images.get(id), favicon: toImage(favicon) });
  return images;
}

type Entry = ExportRecord['history'][number];

/**
 * The histories of memories, oldest entry first. Leaves out former values of a memory as soon as its newer entries have
 * more than `previousLength` characters of them.
 */
async function readHistories(
  { reader, isIn }: Pick<Database, 'reader' | 'isIn'>,
  userId: string,
  ids: readonly string[],
  previousLength: number,
): Promise<Map<string, Entry[]>> {
  const rows = await reader
    .selectFrom('memory_history')
    .leftJoin('former_texts', textOf(userId))
    .select(['memory_history.position', 'memory_id', 'change_id', 'kind', 'at', 'actor', 'fields'])
    .select(({ fn }) => [
      fn<number | null>('length', ['former']).as('valuesLength'),
      fn<number | null>('length', ['former_texts.text']).as('textLength'),
    ])
    .where('memory_history.user_id', '=', userId)
    .where(isIn('memory_id', ids))
    .orderBy('memory_history.position', 'desc')
    .execute();
  const totals = new Map<string, number>();
  const selected = rows.filter(({ memory_id, valuesLength, textLength }) => {
    if (valuesLength === null) return false;
    const total = (totals.get(memory_id) ?? 0) + valuesLength + (textLength ?? 0);
    totals.set(memory_id, total);
    return total <= previousLength;
  });
  const previousValues = await readPreviousValues({ reader, isIn }, userId, selected);
  const histories = new Map<string, Entry[]>();
  for (const row of rows.reverse()) {
    const { by, fields } = entryValues({ ...row, former: null });
    const entry: Entry = {
      changeId: row.change_id,
      kind: row.kind,
      at: row.at,
      by,
      fields: [...fields],
      before: previousValues.get(row.position) ?? null,
    };
    const history = histories.get(row.memory_id);
    if (history === undefined) histories.set(row.memory_id, [entry]);
    else history.push(entry);
  }
  return histories;
}

async function readPreviousValues(
  { reader, isIn }: Pick<Database, 'reader' | 'isIn'>,
  userId: string,
  rows: readonly { position: number }[],
): Promise<Map<number, Entry['before']>> {
  if (rows.length === 0) return new Map();
  const valueRows = await reader
    .selectFrom('memory_history')
    .leftJoin('former_texts', textOf(userId))
    .select(['memory_history.position', 'former', 'former_texts.text'])
    .where('memory_history.user_id', '=', userId)
    .where(
      isIn(
        'memory_history.position',
        rows.map(({ position }) => position),
      ),
    )
    .execute();
  return new Map(
    valueRows.map(({ position, former, text }) => {
      const values = former === null ? null : readJson(former, isObject, null);
      return [position, text === null ? values : { ...values, text }];
    }),
  );
}
