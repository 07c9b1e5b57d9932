import type { ExportRecord } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../core-ports.js';
import { RecollectError } from '../error.js';
import type { RecordSelection } from '../ports/index.js';
import { parseQuery } from '../retrieval/parse-query.js';
import { readFilter } from '../retrieval/read-filter.js';

/** The selection to export; everything by default. */
export interface ExportOptions {
  /** A date: only memories that were saved, changed or highlighted since. */
  since?: string | null | undefined;
  /** Search operators. With any of them, the trash is left out. */
  query?: string | null | undefined;
}

/** Reads memories one after the other. Throws VALIDATION_FAILED at once, before anything is read. */
export function exportRecords(
  { records }: Pick<CorePorts, 'records'>,
  userId: string,
  options: ExportOptions,
): AsyncIterable<ExportRecord> {
  return records.scan(userId, readSelection(options));
}

/** Parses the selection to export. Throws VALIDATION_FAILED. */
export function readSelection({ since, query }: ExportOptions): RecordSelection {
  const { since: changedSince = null } = readFilter({ since });
  const { filter, text } = parseQuery(query ?? '');
  // Words rank memories, and select none.
  if (text === '') return { filter, changedSince, formerLength: limits.transfer.formerLength };
  const message = 'must have only operators with valid values, such as tag:work or after:2026-01';
  throw new RecollectError('VALIDATION_FAILED', `query ${message}.`, { errors: [{ pointer: '/query', message }] });
}
