import { type Cut, cutLines } from './cut-lines.js';
import { findExcess } from './find-excess.js';
import { limits } from './limits.js';
import { EXPORT_SCHEMA, ExportFooter, ExportHeader, ExportRecord } from './record.js';
import { clipText, wellFormed } from './text/index.js';
import { findUnstorable } from './unstorable.js';
import { validate } from './validate.js';

/**
 * What an export has: the saved searches of its header, if there are any; a memory with the length of its line; the
 * footer; or why a line cannot be used.
 */
export type ExportItem =
  | { kind: 'searches'; searches: NonNullable<ExportHeader['savedSearches']> }
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
      const { savedSearches = [] } = readHeader(cut);
      hasHeader = true;
      if (savedSearches.length > 0) yield { kind: 'searches', searches: savedSearches };
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
