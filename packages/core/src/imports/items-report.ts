import type { ItemsReport } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';

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
