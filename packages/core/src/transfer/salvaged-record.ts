import type { Image } from '@recollect/contract';
import { isInstant } from '@recollect/contract/instant';
import { limits } from '@recollect/contract/limits';
import { parseUrl } from '@recollect/contract/text';
import {
  captureModes,
  changeKinds,
  highlightColours,
  places,
  readStates,
  sourceTypes,
} from '@recollect/contract/vocabulary';
import { isComments, isNumbers, isObject, isTextByName, isTexts, readJson } from '../text/readable-json.js';
import { areStarts } from './prepare-record.js';

/** The readable values of a row, by the names of its columns. */
type Row = Readonly<Record<string, unknown>>;

/** A salvaged memory, in the form of a line of an export. */
export type SalvagedRecord = Readonly<Record<string, unknown>> & { id: string; text: string };

/** The data of a memory that is stored beside its row. */
interface Parts {
  text: string;
  /** Whether every part of the text was read. If not, nothing is known of where its turns start. */
  isWhole: boolean;
  picture?: Image | null;
  favicon?: Image | null;
  highlights: readonly Row[];
  history: readonly Row[];
}

const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise);
const oneOf = <T extends string>(values: readonly T[], value: unknown, otherwise: T): T =>
  values.find((candidate) => candidate === value) ?? otherwise;
const instantOr = <T>(value: unknown, otherwise: T): string | T =>
  typeof value === 'string' && isInstant(value) ? value : otherwise;

/** The record of a memory whose row may be lost. Fields that cannot be read get neutral values. */
export function toSalvagedRecord(
  id: string,
  row: Row | null,
  { text, isWhole, picture, favicon, highlights, history }: Parts,
): SalvagedRecord {
  const savedAt = timeOf(id);
  const url = textOr(row?.url, null);
  const starts = readJson(textOr(row?.turn_starts, ''), isNumbers, null);
  const turns = typeof row?.turns === 'number' && row.turns > 0 ? row.turns : null;
  return toStorable({
    id,
    title: textOr(row?.title, '').trim() || 'Salvaged memory',
    text,
    turns:
      turns === null
        ? null
        : { count: turns, starts: isWhole && starts !== null && areStarts(starts, turns, text) ? starts : null },
    url: url !== null && parseUrl(url) !== null && /^https?:/.test(url) ? url : null,
    sourceType: oneOf(sourceTypes, row?.source_type, 'note'),
    sourceApp: textOr(row?.source_app, 'salvage'),
    captureMode: oneOf(captureModes, row?.capture_mode, 'page'),
    tags: readJson(textOr(row?.tags, ''), isTexts, []),
    note: textOr(row?.note, null),
    metadata: readJson(textOr(row?.metadata, ''), isObject, {}),
    isLink: row?.is_link === 1,
    page: readJson(textOr(row?.page, ''), isTextByName, {}),
    savedBy: typeof row?.client === 'string' ? actorOf(row) : null,
    capturedAt: instantOr(row?.captured_at, savedAt),
    lastCapturedAt: instantOr(row?.last_captured_at, savedAt),
    updatedAt: instantOr(row?.updated_at, savedAt),
    starred: row?.starred === 1,
    readState: oneOf(readStates, row?.read_state, 'unread'),
    progress: typeof row?.progress === 'number' && row.progress >= 0 && row.progress <= 1 ? row.progress : 0,
    openedAt: instantOr(row?.opened_at, null),
    place: oneOf(places, row?.place, 'archive'),
    deletedAt: instantOr(row?.deleted_at, null),
    comments: readJson(textOr(row?.comments, ''), isComments, []),
    ...(picture != null && { picture }),
    ...(favicon != null && { favicon }),
    highlights: highlights.map((highlight) => ({
      id: highlight.id,
      quote: highlight.quote,
      prefix: highlight.prefix,
      suffix: highlight.suffix,
      note: highlight.note,
      colour: oneOf(highlightColours, highlight.colour, 'yellow'),
      reviewedAt: instantOr(highlight.reviewed_at, null),
      dismissed: highlight.dismissed === 1,
      createdAt: instantOr(highlight.created_at, savedAt),
      updatedAt: instantOr(highlight.updated_at, savedAt),
    })),
    history: history.map((entry) => ({
      changeId: entry.change_id,
      kind: oneOf(changeKinds, entry.kind, 'edited'),
      at: instantOr(entry.at, savedAt),
      by: readJson(textOr(entry.actor, ''), isObject, null),
      fields: readJson(textOr(entry.fields, ''), isTexts, []),
      before: previousValuesOf(entry),
    })),
  });
}

/** The values that a change replaced; the text is in a separate table. */
function previousValuesOf(entry: Row) {
  const values = readJson(textOr(entry.former, ''), isObject, null);
  return typeof entry.former_text === 'string' ? { ...values, text: entry.former_text } : values;
}

function actorOf(row: Row) {
  return { client: row.client, name: textOr(row.client_name, null), key: textOr(row.client_key, null) };
}

/** When a memory was saved: its id starts with the time. */
function timeOf(id: string): string {
  const milliseconds = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) || date.getFullYear() > 9999 ? new Date(0).toISOString() : date.toISOString();
}

/**
 * A value of JSON without characters that no store keeps, such as the NUL characters that a zeroed block of a disk
 * leaves in a text. What `findUnstorable` of the contract finds is left out, and the rest stays.
 */
function toStorable<Value>(value: Value, depth = 0): Value {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === limits.body.depth) return null as Value;
  if (Array.isArray(value)) return value.map((item) => toStorable(item, depth + 1)) as Value;
  const entries = Object.entries(value).map(([key, item]) => [toStorable(key), toStorable(item, depth + 1)] as const);
  return Object.fromEntries(entries.filter(([key]) => key !== '__proto__')) as Value;
}
