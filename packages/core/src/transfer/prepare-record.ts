import type { ExportRecord } from '@recollect/contract';
import { isInstant } from '@recollect/contract/instant';
import { siteOf } from '@recollect/contract/query-syntax';
import { type ChunkSizes, joinIntoChunks, measureText } from '../chunking/chunk-text.js';
import { normaliseComments } from '../drafts/comments.js';
import { contentHashOf, keepTags } from '../drafts/normalise-capture.js';
import { RecollectError } from '../error.js';
import { giveTurns } from '../give-turns.js';
import { foldHighlight } from '../highlights/highlights.js';
import { readPictures } from '../pictures/read-pictures.js';
import type { NewRecord } from '../ports/index.js';
import { urlKey } from '../text/url-key.js';
/** Checks what no schema can check, and computes what the store derives from a record. Throws VALIDATION_FAILED. */
export async function prepareRecord(exported: ExportRecord): Promise<NewRecord> {
  if (exported.text.trim() === '') throw invalid('/text', 'has no text');
  const url = exported.url?.trim() || null;
  const key = url === null ? null : urlKey(url);
  if (url !== null && (key === null || !/^https?:/.test(key))) throw invalid('/url', 'must be an http or https URL');
  const record = normalise({ ...exported, url });
  return {
    record,
    urlKey: key,
    site: url === null ? null : siteOf(url),
    contentHash: await contentHashOf(key, record.text),
    chunks: null,
    // A record without its picture is worth more than none.
    pictures: (await readPictures(exported)).pictures,
    folded: record.highlights.map(({ quote, note }) => foldHighlight(quote, note)),
  };
}

/** Splits the text of a record into chunks, as a capture does. */
export async function splitRecord({ text, turns }: ExportRecord, sizes: ChunkSizes): Promise<string[]> {
  const starts = turns?.starts ?? [0];
  const pieces = [];
  const giveTurn = giveTurns();
  for (const [index, start] of starts.entries())
    pieces.push(await measureText(text.slice(start, starts[index + 1]), sizes, giveTurn));
  return joinIntoChunks(pieces.flat(), sizes);
}

/** A record with only the known fields, in their order, and with times of one form. */
function normalise(record: ExportRecord): ExportRecord {
  return {
    id: record.id,
    title: record.title,
    text: record.text,
    turns: turnsOf(record),
    url: record.url,
    sourceType: record.sourceType,
    sourceApp: record.sourceApp,
    captureMode: record.captureMode,
    tags: keepTags(record.tags),
    note: record.note,
    metadata: record.metadata,
    page: record.page,
    savedBy: record.savedBy,
    capturedAt: instant('/capturedAt', record.capturedAt),
    lastCapturedAt: instant('/lastCapturedAt', record.lastCapturedAt),
    updatedAt: instant('/updatedAt', record.updatedAt),
    isLink: record.isLink ?? isPreviousLink(record),
    starred: record.starred ?? false,
    readState: record.readState ?? 'unread',
    progress: record.progress ?? 0,
    openedAt: record.openedAt == null ? null : instant('/openedAt', record.openedAt),
    place: record.place ?? 'archive',
    deletedAt: record.deletedAt === null ? null : instant('/deletedAt', record.deletedAt),
    comments: normaliseComments(record.comments ?? []),
    highlights: record.highlights.map((highlight, at) => ({
      ...highlight,
      reviewedAt: highlight.reviewedAt == null ? null : instant(`/highlights/${at}/reviewedAt`, highlight.reviewedAt),
      createdAt: instant(`/highlights/${at}/createdAt`, highlight.createdAt),
      updatedAt: instant(`/highlights/${at}/updatedAt`, highlight.updatedAt),
    })),
    history: record.history.map((entry, at) => ({
      ...entry,
      before: previousValues(entry),
      at: instant(`/history/${at}/at`, entry.at),
    })),
  };
}

/**
 * Whether an export of an earlier version has a link. Its metadata said so, and a client could write the same into a
 * note.
 */
function isPreviousLink({ metadata, url, captureMode }: ExportRecord): boolean {
  return metadata.content === 'link' && url !== null && captureMode === 'page';
}

/** The values that a change replaced; null if one is missing, since none counts as kept then. Texts may be left out. */
function previousValues({
  fields,
  before,
}: ExportRecord['history'][number]): ExportRecord['history'][number]['before'] {
  const isWhole = fields.every((field) => field === 'text' || before?.[field] !== undefined);
  return isWhole ? before : null;
}

/** Turns that begin where the record says. Without this, a conversation could not be read or would grow wrongly. */
function turnsOf({ turns, text }: ExportRecord): ExportRecord['turns'] {
  if (turns?.starts == null) return turns === null ? null : { count: turns.count, starts: null };
  const { count, starts } = turns;
  if (areStarts(starts, count, text)) return { count, starts };
  throw invalid('/turns/starts', 'must be one position in the text for each turn, in ascending order from 0');
}

/** Whether so many turns can start at these places of a text. */
export function areStarts(starts: readonly number[], count: number, text: string): boolean {
  const isAscending = starts.every((start, index) => start >= (starts[index - 1] ?? -1) + 1 && start < text.length);
  return starts.length === count && starts[0] === 0 && isAscending;
}

function instant(pointer: string, text: string): string {
  if (isInstant(text)) return new Date(text).toISOString();
  throw invalid(pointer, 'must be a date and time, such as 2026-01-31T09:30:00Z');
}

function invalid(pointer: string, message: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', `${pointer} ${message}.`, { errors: [{ pointer, message }] });
}
