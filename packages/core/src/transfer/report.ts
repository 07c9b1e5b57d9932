import type { Actor, ImportReport } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CaptureUseCase } from '../capture/capture.js';
import type { Memories } from '../memories/memories.js';
import type { ExportedItem, ExportPart } from '../ports/index.js';

/** Names of files that are not a known export. */
const MAX_REPORTED_NAMES = 10;

/** The report of an import that has read nothing yet. */
export function emptyReport(): ImportReport {
  return {
    programs: [],
    found: 0,
    created: 0,
    links: 0,
    updated: 0,
    duplicates: 0,
    savedSearches: 0,
    skipped: [],
    skippedCount: 0,
    failed: [],
    failedCount: 0,
    otherFiles: 0,
    otherNames: [],
    dropped: 0,
    isComplete: true,
    changeId: null,
  };
}

/** Records an item that is not imported, and why. */
export function skip(report: ImportReport, item: string, reason: string): void {
  report.skippedCount += 1;
  if (report.skipped.length < limits.transfer.reported) report.skipped.push({ item, reason });
}

/**
 * Records an item that could not be read or stored, and why.
 *
 * @param most entries that the list may have then
 */
export function fail(
  report: ImportReport,
  item: string,
  reason: string,
  most: number = limits.transfer.reported,
): void {
  report.failedCount += 1;
  report.dropped += 1;
  if (report.failed.length < most) report.failed.push({ item, reason });
}

/** Notes a part of an export that is not an item. */
export function note(report: ImportReport, part: Exclude<ExportPart, ExportedItem>): void {
  if ('program' in part) {
    if (!report.programs.includes(part.program)) report.programs.push(part.program);
  } else if ('skipped' in part) {
    if (!part.isExpected) report.dropped += 1;
    skip(report, part.skipped, part.reason);
  } else if ('failed' in part) fail(report, part.failed, part.reason);
  else {
    if (part.isText) report.dropped += 1;
    report.otherFiles += 1;
    if (report.otherNames.length < MAX_REPORTED_NAMES) report.otherNames.push(part.other);
  }
}

/** The use cases that an import uses, for whom, and where it counts. */
export interface ItemsImport {
  capture: CaptureUseCase;
  memories: Pick<Memories, 'present' | 'history' | 'lookup' | 'update'>;
  userId: string;
  actor: Actor | null;
  report: ImportReport;
  /** The import, whose id all its changes have. */
  importId: string;
  signal?: AbortSignal | undefined;
  isBusy?: (() => boolean) | undefined;
  onProgress?: ((report: ImportReport) => void) | undefined;
}

/** An import with the ids of the memories that it has created. */
export interface RunningImport extends ItemsImport {
  created: Set<string>;
}

/** The name of an item in reports. */
export function itemName({ capture }: Pick<ExportedItem, 'capture'>): string {
  const { title, fileName, url, pageText, selection } = capture;
  const file = fileName?.slice(fileName.lastIndexOf('/') + 1);
  return title || file || url || (pageText ?? selection ?? '').slice(0, 80);
}
