import { type Core, RecollectError } from '@recollect/core';
import { findImporter, type Item, importers, readFiles, UnreadableArchiveError } from '@recollect/importers';
import { decodeText } from '../sources/decode-text.js';
import { type ItemsReport, importItems } from './import-items.js';

/** The programs whose exports can be imported, for a message. */
export const PROGRAMS = [...new Set(importers.map(({ program }) => program))].join(', ');

/** Names of files that are no known export, for the report. */
const NAMED = 10;

/**
 * Imports the export of another program: a file, or an archive with its files. If nothing in it is one,
 * the report has no programs.
 *
 * @param onProgress called after each batch with the report so far
 */
export async function importForeign(
  core: Core,
  path: string,
  options: { signal: AbortSignal; onProgress: (report: ItemsReport) => void },
): Promise<ItemsReport> {
  const report: ItemsReport = {
    programs: [],
    found: 0,
    created: 0,
    updated: 0,
    duplicates: 0,
    skipped: [],
    failed: [],
    otherFiles: 0,
    otherNames: [],
  };
  const items = async function* (): AsyncGenerator<Item> {
    for await (const file of readFiles(path, { decode: decodeText, signal: options.signal })) {
      if ('skipped' in file) {
        report.failed.push({ item: file.skipped, reason: file.reason });
        continue;
      }
      const importer = findImporter(file);
      if (importer === undefined && file.isDamaged()) {
        report.failed.push({ item: file.name, reason: 'It is JSON that is damaged or incomplete.' });
        continue;
      }
      if (importer === undefined) {
        report.otherFiles += 1;
        if (report.otherNames.length < NAMED) report.otherNames.push(file.name);
        continue;
      }
      if (!report.programs.includes(importer.program)) report.programs.push(importer.program);
      try {
        yield* importer.read(file);
      } catch (error) {
        // What an importer throws is a fault in it. The other files may be good.
        report.failed.push({ item: file.name, reason: `It cannot be read to its end: ${(error as Error).message}` });
      }
    }
  };
  await importItems(core, items(), report, options).catch((error) => {
    if (!(error instanceof UnreadableArchiveError)) throw error;
    const sentence = 'The archive is damaged or incomplete. What was read of it is imported. Get the export again.';
    throw new RecollectError('EXPORT_UNREADABLE', `${path}: ${sentence}`, { cause: error });
  });
  return report;
}
