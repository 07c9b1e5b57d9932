import type { ImportPreview } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { ExportPart } from '../ports/index.js';
import { createItemsReport, fail, note } from './items-report.js';
import { nameOf } from './running-import.js';

/**
 * Counts what an export contains, and names its first items. A damaged archive is reported under `failed`, since what
 * comes before the damage can be imported.
 *
 * @param name what reports call the file
 */
export async function previewItems(name: string, parts: AsyncIterable<ExportPart>): Promise<ImportPreview> {
  const report = createItemsReport();
  const first: ImportPreview['first'] = [];
  let [conversations, links] = [0, 0];
  try {
    for await (const part of parts) {
      if (!('capture' in part)) {
        note(report, part);
        continue;
      }
      report.found += 1;
      if (part.isLink) links += 1;
      else if (part.capture.messages != null) conversations += 1;
      if (first.length < limits.transfer.previewed)
        first.push({
          title: nameOf(part),
          url: part.capture.url ?? null,
          capturedAt: part.capture.capturedAt ?? null,
        });
    }
  } catch (error) {
    if (!(error instanceof RecollectError) || error.code !== 'EXPORT_UNREADABLE') throw error;
    fail(report, name, 'The archive is damaged or incomplete. What comes before the damage can be imported.');
  }
  const { programs, found, skipped, skippedCount, failed, failedCount, otherFiles, otherNames } = report;
  return {
    programs,
    found,
    conversations,
    links,
    first,
    skipped,
    skippedCount,
    failed,
    failedCount,
    otherFiles,
    otherNames,
  };
}
