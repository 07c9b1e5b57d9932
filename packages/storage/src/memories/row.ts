import { places, readStates } from '@recollect/contract/vocabulary';
import { type Comment, isComments, isObject, isTextByName, isTexts, type Memory, readJson } from '@recollect/core';
import { type Selectable, sql } from 'kysely';
import type { Tables } from '../tables.js';

export type MemoryRow = Selectable<Tables['memories']>;

/** The hashes of a memory's pictures. Pictures in the trash are not served. */
export function pictureColumns(userId: string) {
  return [
    sql<string | null>`(select hash from memory_pictures
      where memory_pictures.user_id = ${userId} and memory_pictures.memory_id = memories.id
        and memories.deleted_at is null)`.as('picture_hash'),
    sql<string | null>`(select hash from site_favicons
      where site_favicons.user_id = ${userId} and site_favicons.site = memories.site
        and memories.deleted_at is null)`.as('favicon_hash'),
  ] as const;
}

const plainColumns = [
  'memories.id',
  'memories.title',
  'memories.url',
  'memories.source_type',
  'memories.source_app',
  'memories.capture_mode',
  'memories.tags',
  'memories.note',
  'memories.metadata',
  'memories.is_link',
  'memories.page',
  'memories.captured_at',
  'memories.last_captured_at',
  'memories.updated_at',
  'memories.client',
  'memories.client_name',
  'memories.client_key',
  'memories.starred',
  'memories.read_state',
  'memories.progress',
  'memories.opened_at',
  'memories.place',
] as const;

/** The columns that a memory is read from. */
export function memoryColumns(userId: string) {
  return [...plainColumns, ...pictureColumns(userId)] as const;
}

/** The columns of {@link memoryColumns}, and the comments, which lists leave out. */
export function commentedColumns(userId: string) {
  return [...memoryColumns(userId), 'memories.comments'] as const;
}

/** The comments of a memory in a column. */
export function commentsColumn(comments: readonly Comment[] = []): string | null {
  return comments.length === 0 ? null : JSON.stringify(comments);
}

/** The comments of a row. */
export function commentsOf({ comments }: Pick<MemoryRow, 'comments'>): Comment[] {
  return comments === null ? [] : readJson(comments, isComments, []);
}

type Column = (typeof plainColumns)[number] extends `memories.${infer Name}` ? Name : never;
type ReadRow = Pick<MemoryRow, Column & keyof MemoryRow> & { picture_hash: string | null; favicon_hash: string | null };

export function toMemory(row: ReadRow): Memory {
  return {
    id: row.id,
    title: row.title,
    url: row.url,
    sourceType: row.source_type,
    sourceApp: row.source_app,
    captureMode: row.capture_mode,
    tags: readJson(row.tags, isTexts, []),
    note: row.note,
    metadata: readJson(row.metadata, isObject, {}),
    isLink: row.is_link === 1,
    page: readJson(row.page, isTextByName, {}),
    capturedAt: row.captured_at,
    lastCapturedAt: row.last_captured_at,
    updatedAt: row.updated_at,
    starred: row.starred === 1,
    readState: row.read_state,
    progress: row.progress,
    openedAt: row.opened_at,
    place: row.place,
    savedBy: row.client === null ? null : { client: row.client, name: row.client_name, key: row.client_key },
    ...(row.picture_hash === null ? {} : { pictureHash: row.picture_hash }),
    ...(row.favicon_hash === null ? {} : { faviconHash: row.favicon_hash }),
  };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Whether the columns that no checksum covers have values that they can have. */
export function isReading(
  row: Pick<MemoryRow, 'starred' | 'read_state' | 'progress' | 'opened_at' | 'place'>,
): boolean {
  const { starred, read_state: state, progress, opened_at: openedAt } = row;
  const isShare = typeof progress === 'number' && progress >= 0 && progress <= 1;
  return (
    [0, 1].includes(starred) &&
    places.includes(row.place) &&
    readStates.includes(state) &&
    isShare &&
    (openedAt === null || INSTANT.test(openedAt))
  );
}
