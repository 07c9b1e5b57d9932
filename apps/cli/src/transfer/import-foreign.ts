import { type Core, RecollectError } from '@recollect/core';
import { findImporter, type Item, importers, readFiles, UnreadableArchiveError } from '@recollect/importers';
import { decodeText } from '../sources/decode-text.js';
import { type ItemsReport, importItems } from './import-items.js';

/** The programs whose exports can be imported, for a message. */
export const PROGRAMS = importers.map(({ program }) => program).join(', ');

/**
 * Imports the export of another program: a file, or an archive with its files. Null if nothing in it is one.
 *
 * @param onProgress called after each batch with the report so far
 */
export async function importForeign(
  core: Core,
  path: string,
  options: { signal: AbortSignal; onProgress: (report: ItemsReport) => void },
): Promise<ItemsReport | null> {
  const report: ItemsReport = {
    programs: [],
    found: 0,
    created: 0,
    updated: 0,
    duplicates: 0,
    skipped: [],
    failed: [],
    otherFiles: 0,
  };
  const items = async function* (): AsyncGenerator<Item> {
    for await (const file of readFiles(path, { decode: decodeText, signal: options.signal })) {
      if ('skipped' in file) {
        yield file;
        continue;
      }
      const importer = findImporter(file);
      if (importer === undefined) {
        report.otherFiles += 1;
        continue;
      }
      if (!report.programs.includes(importer.program)) report.programs.push(importer.program);
      try {
        yield* importer.read(file);
      } catch (error) {
        // What an importer throws is a fault in it. The other files may be good.
        yield { skipped: file.name, reason: `It cannot be read to its end: ${(error as Error).message}` };
      }
    }
  };
  await importItems(core, items(), report, options).catch((error) => {
    if (!(error instanceof UnreadableArchiveError)) throw error;
    const sentence = 'The archive is damaged or incomplete. What was read of it is imported. Get the export again.';
    throw new RecollectError('EXPORT_UNREADABLE', `${path}: ${sentence}`, { cause: error });
  });
  return report.programs.length === 0 ? null : report;
}
