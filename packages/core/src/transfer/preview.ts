import type { ExportItem, ImportPreview } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { ExportPart } from '../ports/index.js';
import { emptyReport, fail, note } from './report.js';
import { nameOf } from './running-import.js';

type First = ImportPreview['first'][number];

/**
 * Counts what an export contains, and names its first items. A damaged archive is reported under `failed`, since what
 * comes before the damage can be imported.
 *
 * @param name the name of the file in reports
 */
export async function previewParts(name: string, parts: AsyncIterable<ExportPart>): Promise<ImportPreview> {
  const preview = emptyPreview();
  const report = emptyReport();
  try {
    for await (const part of parts) {
      if (!('capture' in part)) {
        note(report, part);
        continue;
      }
      const { url = null, capturedAt = null, messages } = part.capture;
      const item = { title: nameOf(part), url, capturedAt: capturedAt ?? part.changedAt ?? null };
      add(preview, item, { isLink: part.isLink === true, isConversation: messages != null });
    }
  } catch (error) {
    if (!(error instanceof RecollectError) || error.code !== 'EXPORT_UNREADABLE') throw error;
    fail(report, name, 'The archive is damaged or incomplete. What comes before the damage can be imported.');
  }
  const { programs, skipped, skippedCount, failed, failedCount, otherFiles, otherNames } = report;
  return { ...preview, programs, skipped, skippedCount, failed, failedCount, otherFiles, otherNames };
}

/** The same for an export of Recollect. */
export async function previewRecords(items: AsyncIterable<ExportItem>): Promise<ImportPreview> {
  const preview = { ...emptyPreview(), programs: ['Recollect'] };
  const report = emptyReport();
  for await (const item of items) {
    if (item.kind === 'failure') fail(report, `line ${item.line}`, item.reason);
    if (item.kind !== 'record') continue;
    const { title, url, capturedAt, turns, isLink = false } = item.record;
    add(preview, { title, url, capturedAt }, { isLink, isConversation: turns !== null });
  }
  const { failed, failedCount } = report;
  return { ...preview, failed, failedCount };
}

function add(
  preview: ImportPreview,
  item: First,
  { isLink, isConversation }: { isLink: boolean; isConversation: boolean },
): void {
  preview.found += 1;
  if (isLink) preview.links += 1;
  else if (isConversation) preview.conversations += 1;
  if (preview.first.length < limits.transfer.previewed) preview.first.push(item);
}

function emptyPreview(): ImportPreview {
  return {
    programs: [],
    found: 0,
    conversations: 0,
    links: 0,
    first: [],
    skipped: [],
    skippedCount: 0,
    failed: [],
    failedCount: 0,
    otherFiles: 0,
    otherNames: [],
  };
}
