import type { Actor, ExportItem, ImportReport } from '@recollect/contract';
import { isInstant } from '@recollect/contract/instant';
import { limits } from '@recollect/contract/limits';
import { count, splitTags, uniqueTags } from '@recollect/contract/text';
import { RecollectError } from '../error.js';
import type { ExportPart } from '../ports/index.js';

/** The selection of an export to import, and the tags to add. */
export interface ImportSelection {
  /** Tags for everything that is new. */
  tags?: readonly string[] | undefined;
  /** Leaves out older items: ISO 8601. Items without a time are imported. */
  since?: string | undefined;
  /** The program whose exports alone are read, as {@link programsCalled} finds it. */
  format?: string | undefined;
}

/** Throws VALIDATION_FAILED for a date that does not exist, and for tags that no memory may have. */
export function checkSelection({ tags = [], since }: ImportSelection): void {
  const { tagLength, tags: most } = limits.capture;
  if (since !== undefined && !isInstant(since)) throw invalid('since', 'must be an ISO 8601 date, or date and time');
  const all = tags.flatMap((tag) => splitTags(tag));
  if (all.some((tag) => tag.length > tagLength)) throw invalid('tag', `may have ${tagLength} characters`);
  if (all.length > most) throw invalid('tag', `may be given ${most} times`);
}

/**
 * The programs that a name means: the program with exactly this name, else programs whose name begins with it, else
 * programs whose name contains it. Throws VALIDATION_FAILED if there is none.
 *
 * @example
 * programsCalled('obsidian', ['ChatGPT', 'notes in Markdown (Obsidian, Bear)']);
 * // ['notes in Markdown (Obsidian, Bear)']
 */
export function programsCalled(name: string, programs: readonly string[]): readonly string[] {
  const folded = foldCase(name);
  const rules = [
    (program: string) => program === folded,
    (program: string) => program.startsWith(folded),
    (program: string) => program.includes(folded),
  ];
  for (const rule of folded === '' ? [] : rules) {
    const matches = programs.filter((program) => rule(foldCase(program)));
    if (matches.length > 0) return matches;
  }
  throw invalid('format', `must be one of these: ${programs.join(', ')}`);
}

function foldCase(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The parts of an export that are selected, with their tags. */
export async function* selectParts(
  parts: AsyncIterable<ExportPart>,
  { tags = [], since }: ImportSelection,
): AsyncGenerator<ExportPart> {
  let older = 0;
  for await (const part of parts) {
    if (!('capture' in part)) yield part;
    else if (isOlder(part.capture.capturedAt ?? part.changedAt, since)) older += 1;
    else yield { ...part, capture: { ...part.capture, tags: withTags(part.capture.tags ?? [], tags) } };
  }
  if (older > 0) yield { skipped: count(older, 'item', 'items'), reason: `Older than ${since}.`, isExpected: true };
}

/** The lines of an export of Recollect that are selected, with their tags. */
export async function* selectRecords(
  items: AsyncIterable<ExportItem>,
  { tags = [], since }: ImportSelection,
): AsyncGenerator<ExportItem> {
  let older = 0;
  for await (const item of items) {
    if (item.kind === 'end') yield { ...item, memories: item.memories - older };
    else if (item.kind !== 'record') yield item;
    else if (isOlder(item.record.capturedAt, since)) older += 1;
    else yield { ...item, record: { ...item.record, tags: withTags(item.record.tags, tags) } };
  }
}

function isOlder(time: string | null | undefined, since: string | undefined): boolean {
  return since !== undefined && time != null && Date.parse(time) < startOf(since);
}

/** When a time is, or a day begins on the clock of this machine. */
function startOf(since: string): number {
  return Date.parse(/^\d{4}-\d\d-\d\d$/.test(since) ? `${since}T00:00` : since);
}

/** Its own tags, and the others as far as there is room for them. */
function withTags(ownTags: readonly string[], more: readonly string[]): string[] {
  if (more.length === 0) return [...ownTags];
  const all = uniqueTags([...ownTags, ...more.flatMap((tag) => splitTags(tag))]);
  return all.slice(0, Math.max(ownTags.length, limits.capture.tags));
}

function invalid(field: string, message: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', `${field} ${message}. Nothing was imported.`, {
    errors: [{ pointer: `/${field}`, message }],
  });
}

export interface ImportOptions extends ImportSelection {
  /** The actor of the import, for the history. */
  actor?: Actor | null | undefined;
  /** Stops the import between two batches, with the signal's reason. Imported items stay. */
  signal?: AbortSignal | undefined;
  /** Whether others save at the moment, so that the import should let them go first. */
  isBusy?: (() => boolean) | undefined;
  /** The id of the import and its changes. A new one by default. */
  importId?: string | undefined;
  /** Called after each batch with the report so far. */
  onProgress?: ((report: ImportReport) => void) | undefined;
}

export interface ImportFileOptions extends ImportOptions {
  /** The name that the file had where it comes from. */
  name: string;
}
