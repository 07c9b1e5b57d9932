import { EXPORT_SCHEMA, type ExportFooter, type ExportHeader, type ExportRecord } from './record.js';

/** What the header has besides the memories. */
export type HeaderParts = Pick<ExportHeader, 'savedSearches' | 'tagLooks'>;

/**
 * The lines of an export, each with its line break.
 *
 * @example
 * const lines = writeExport(core.records.export('local'), { program: '0.1.0', now: new Date() });
 * await pipeline(lines, createWriteStream(path));
 */
export async function* writeExport(
  records: AsyncIterable<ExportRecord>,
  { program, now, savedSearches = [], tagLooks = [] }: { program: string; now: Date } & HeaderParts,
): AsyncGenerator<string> {
  const header: ExportHeader = {
    recollect: 'export',
    schema: EXPORT_SCHEMA,
    program,
    exportedAt: now.toISOString(),
    ...(savedSearches.length === 0 ? {} : { savedSearches }),
    ...(tagLooks.length === 0 ? {} : { tagLooks }),
  };
  yield `${JSON.stringify(header)}\n`;
  let memories = 0;
  for await (const record of records) {
    memories += 1;
    yield `${JSON.stringify(record)}\n`;
  }
  const footer: ExportFooter = { recollect: 'end', memories };
  yield `${JSON.stringify(footer)}\n`;
}
