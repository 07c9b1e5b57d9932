import type { ItemsReport } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { ExportedItem, ExportPart } from '../ports/index.js';

/** Names of files that are not a known export. */
const NAMED = 10;

/** The report of an import that has read nothing yet. */
export function createItemsReport(): ItemsReport {
  return {
    programs: [],
    found: 0,
    created: 0,
    links: 0,
    updated: 0,
    duplicates: 0,
    skipped: [],
    skippedCount: 0,
    failed: [],
    failedCount: 0,
    otherFiles: 0,
    otherNames: [],
    dropped: 0,
  };
}

/** Notes what is not imported, and why. */
export function skip(report: ItemsReport, item: string, reason: string): void {
  report.skippedCount += 1;
  if (report.skipped.length < limits.transfer.reported) report.skipped.push({ item, reason });
}

/** Notes what could not be read or stored, and why. */
export function fail(report: ItemsReport, item: string, reason: string): void {
  report.failedCount += 1;
  report.dropped += 1;
  if (report.failed.length < limits.transfer.reported) report.failed.push({ item, reason });
}

/** Notes a part of an export that is not an item. */
export function note(report: ItemsReport, part: Exclude<ExportPart, ExportedItem>): void {
  if ('program' in part) {
    if (!report.programs.includes(part.program)) report.programs.push(part.program);
  } else if ('skipped' in part) {
    if (!part.isExpected) report.dropped += 1;
    skip(report, part.skipped, part.reason);
  } else if ('failed' in part) fail(report, part.failed, part.reason);
  else {
    if (part.isText) report.dropped += 1;
    report.otherFiles += 1;
    if (report.otherNames.length < NAMED) report.otherNames.push(part.other);
  }
}
