import type { ExportItem, ExportRecord, HeaderParts, ImportReport } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { RecordSelection } from '../ports/index.js';
import { parseQuery, readFilter } from '../retrieval/parse-query.js';
import { importRecords, type RecordPorts, type RecordsImport } from './import-records.js';

/** The use cases on whole memories, with all that belongs to them. */
export interface Records {
  /**
   * Reads memories as records, in the order of their ids. Throws VALIDATION_FAILED at once for a query with words, or a
   * date that does not exist.
   */
  export(userId: string, options?: ExportOptions): AsyncIterable<ExportRecord>;
  /** What the header of an export has besides the memories: all of it for an export of everything, else nothing. */
  headerParts(userId: string, options?: ExportOptions): Promise<HeaderParts>;
  /** How many memories an export has. Throws like it. */
  count(userId: string, options?: ExportOptions): Promise<number>;
  /**
   * Stores the memories of an export with their ids, a batch per transaction. Importing the same again changes nothing,
   * so an interrupted import is repeated from the start. Embeddings are left to the indexing job.
   */
  import(userId: string, items: AsyncIterable<ExportItem>, options?: RecordsImport): Promise<ImportReport>;
}

/**
 * Makes the use cases of export and import.
 *
 * @example
 * const records = createRecords({ ...storage, embeddingModel, clock: systemClock });
 * for await (const { title } of records.export('local', { query: 'tag:work' })) console.log(title);
 */
export function createRecords(ports: RecordPorts): Records {
  return {
    export: (userId, options = {}) => exportRecords(ports, userId, options),
    async headerParts(userId, { since, query } = {}) {
      if ((since ?? '') !== '' || (query ?? '').trim() !== '') return {};
      const searches = await ports.savedSearches.list(userId);
      return {
        savedSearches: searches.map(({ name, query }) => ({ name, query })),
        tagLooks: await ports.tagLooks.list(userId),
      };
    },
    count: async (userId, options = {}) => ports.records.count(userId, readSelection(options)),
    import: (userId, items, options = {}) => importRecords(ports, userId, items, options),
  };
}

/** The selection to export; everything by default. */
export interface ExportOptions {
  /** A date: only memories that were saved, changed or highlighted since. */
  since?: string | null | undefined;
  /** Search operators. With any of them, the trash is left out. */
  query?: string | null | undefined;
}

/** Reads memories one after the other. Throws VALIDATION_FAILED at once, before anything is read. */
function exportRecords(
  { records }: Pick<CorePorts, 'records'>,
  userId: string,
  options: ExportOptions,
): AsyncIterable<ExportRecord> {
  return records.scan(userId, readSelection(options));
}

/** Parses the selection to export. Throws VALIDATION_FAILED. */
function readSelection({ since, query }: ExportOptions): RecordSelection {
  const { since: changedSince = null } = readFilter({ since });
  const { filter, text } = parseQuery(query ?? '');
  // Words rank memories, and select none.
  if (text === '') return { filter, changedSince, previousLength: limits.transfer.previousLength };
  const message = 'must have only operators with valid values, such as tag:work or after:2026-01';
  throw new RecollectError('VALIDATION_FAILED', `query ${message}.`, { errors: [{ pointer: '/query', message }] });
}
