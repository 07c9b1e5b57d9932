import { endOfString } from './end-of-string.js';
import { limits } from './limits.js';
import { EXPORT_SCHEMA, ExportFooter, ExportHeader, ExportRecord } from './record.js';
import { clipText, wellFormed } from './text/index.js';
import { findUnstorable } from './unstorable.js';
import { validate } from './validate.js';

const NEWLINE = 10;

/** One line of a stream. */
interface Cut {
  /** From 1. */
  number: number;
  /** Null if it is too long or not UTF-8; `fault` then says so. */
  line: string | null;
  fault: string;
  /** Whether a line break follows. */
  isEnded: boolean;
}

/**
 * Cuts a stream of bytes into lines of UTF-8. A line of more than `most` bytes is left out of memory. White space at
 * the end of a line, such as the carriage return of Windows, stays.
 */
async function* cutLines(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Cut> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length <= most) parts.push(part);
    else parts = [];
  };
  const take = (isEnded: boolean): Cut => {
    const cut = toCut(parts, length > most ? 'The line is too long.' : null, ++number, isEnded);
    parts = [];
    length = 0;
    return cut;
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield take(true);
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield take(false);
}

function toCut(parts: readonly Uint8Array[], fault: string | null, number: number, isEnded: boolean): Cut {
  if (fault !== null) return { number, line: null, fault, isEnded };
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    const texts = parts.map((part) => decoder.decode(part, { stream: true }));
    return { number, line: texts.join('') + decoder.decode(), fault: '', isEnded };
  } catch {
    return { number, line: null, fault: isEnded ? 'The line is not UTF-8.' : 'The line is incomplete.', isEnded };
  }
}

const { depth: MAX_LEVELS, keys: MAX_KEYS } = limits.body;
const MAX_VALUES = limits.transfer.values;

/**
 * Finds a line of JSON with too many keys, values or levels. Returns the end of a sentence, or null. Does not parse the
 * line, because parsing and checking it would take seconds. Outside strings, each key has a colon, and a comma
 * separates two values.
 */
function findExcess(line: string): string | null {
  let levels = 0;
  let keys = 0;
  let values = 1;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === '"') at = endOfString(line, at);
    else if (character === '{' || character === '[') {
      levels += 1;
      if (levels > MAX_LEVELS) return `is nested deeper than ${MAX_LEVELS} levels`;
    } else if (character === '}' || character === ']') levels -= 1;
    else if (character === ':') {
      keys += 1;
      if (keys > MAX_KEYS) return `has more than ${MAX_KEYS} keys`;
    } else if (character === ',') {
      values += 1;
      if (values > MAX_VALUES) return `has more than ${MAX_VALUES} values`;
    }
  }
  return null;
}

/**
 * An item of an export: the saved searches, and the icons and colours of tags, in its header, if there are any; a
 * memory with the length of its line; the footer; or why a line cannot be used.
 */
export type ExportItem =
  | { kind: 'searches'; searches: NonNullable<ExportHeader['savedSearches']> }
  | { kind: 'looks'; looks: NonNullable<ExportHeader['tagLooks']> }
  | { kind: 'record'; line: number; length: number; record: ExportRecord }
  | { kind: 'end'; memories: number }
  | { kind: 'failure'; line: number; reason: string };

/** Thrown when a file is not an export, or one that this program cannot read. */
export class UnreadableExportError extends Error {
  override readonly name = 'UnreadableExportError';

  /** Whether it may be the export of another program. */
  readonly mayBeOther: boolean;

  constructor(message: string, mayBeOther: boolean) {
    super(message);
    this.mayBeOther = mayBeOther;
  }
}

const NOT_AN_EXPORT = 'This is not a Recollect export: the first line of an export is its header.';
/** Characters of a place in a record, whose keys may be of any length. */
const POINTER_LENGTH = 200;
const CUT_OFF = 'The line is incomplete.';

/**
 * Reads an export as a stream, a line at a time. A line that cannot be used becomes a separate item. Throws
 * {@link UnreadableExportError} if the first line is not a header, before anything else is read.
 *
 * @example
 * for await (const item of readExport(createReadStream('export.jsonl'))) if (item.kind === 'record') save(item.record);
 */
export async function* readExport(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ExportItem> {
  let hasHeader = false;
  for await (const cut of cutLines(bytes, limits.transfer.lineBytes)) {
    if (!hasHeader) {
      const { savedSearches = [], tagLooks = [] } = readHeader(cut);
      hasHeader = true;
      if (savedSearches.length > 0) yield { kind: 'searches', searches: savedSearches };
      if (tagLooks.length > 0) yield { kind: 'looks', looks: tagLooks };
    } else if (cut.line === null || cut.line.trim() !== '') yield readLine(cut);
  }
  if (!hasHeader) throw new UnreadableExportError('The file is empty, so it is not a Recollect export.', false);
}

function readHeader({ line }: Cut): ExportHeader {
  const value = line === null || findExcess(line) !== null ? null : parse(line.replace(/^\ufeff/, ''));
  if (value === null || validate(ExportHeader, value).length > 0) throw new UnreadableExportError(NOT_AN_EXPORT, true);
  const header = value as ExportHeader;
  const { schema } = header;
  if (schema > EXPORT_SCHEMA)
    throw new UnreadableExportError(
      `This export has version ${schema} of the format, and this program reads up to ${EXPORT_SCHEMA}. Update Recollect.`,
      false,
    );
  return header;
}

function readLine({ line: text, number: line, isEnded, fault }: Cut): ExportItem {
  if (text === null) return { kind: 'failure', line, reason: fault };
  const excess = findExcess(text);
  if (excess !== null) return { kind: 'failure', line, reason: `The line ${excess}.` };
  const value = parse(text);
  if (value === null) return { kind: 'failure', line, reason: isEnded ? 'The line is not valid JSON.' : CUT_OFF };
  if ('recollect' in value) {
    if (validate(ExportFooter, value).length === 0) return { kind: 'end', memories: (value as ExportFooter).memories };
    return { kind: 'failure', line, reason: 'The line is a header or an end that cannot be read.' };
  }
  let record = value;
  let reason = faultOf(record);
  if (reason !== null) {
    // Earlier versions kept lone surrogates in tags and in page metadata.
    record = wellFormed(value);
    reason = faultOf(record);
  }
  if (reason !== null) return { kind: 'failure', line, reason };
  return { kind: 'record', line, length: text.length, record: record as ExportRecord };
}

/** Why a value is not a record; null if it is one. */
function faultOf(value: object): string | null {
  const unstorable = findUnstorable(value);
  if (unstorable !== null) return `The line ${unstorable}.`;
  const [error, ...others] = validate(ExportRecord, value);
  if (error === undefined) return null;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `${error.pointer === '' ? 'The line' : clipText(error.pointer, POINTER_LENGTH)} ${error.message}${more}.`;
}

function parse(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
