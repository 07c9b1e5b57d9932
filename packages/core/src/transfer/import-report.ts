import type { ImportReport } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { RecordOutcome } from '../ports/index.js';
import { emptyReport, fail, skip } from './report.js';

/** The report of an import, while it runs. */
export interface ReportSoFar {
  /** Counts the outcome for a memory. */
  store(id: string, outcome: RecordOutcome): void;
  /** Counts a saved search that was added. */
  keepSearch(): void;
  skip(item: string, reason: string): void;
  fail(item: string, reason: string): void;
  /** The last line was read: it says how many memories the export has. */
  end(memories: number): void;
  /** Adds a warning if the end is missing. */
  finish(): ImportReport;
  current(): ImportReport;
}

const COUNTED = { created: 'created', updated: 'updated', duplicate: 'duplicates' } as const;
const SKIPPED = {
  conflict: 'A memory with this id has another text. It was not changed.',
  trashed: 'The memory is in the trash. It stays there until it is restored.',
} as const;
const GONE = 'The memory was permanently deleted during the import. Import the file again.';
const END = 'end';
const NO_END = 'The end of the export is missing, so memories may be missing. The complete lines were imported.';

/** Makes an empty report. */
export function createReport(): ReportSoFar {
  const report: ImportReport = { ...emptyReport(), programs: ['Recollect'], isComplete: false };
  const { reported } = limits.transfer;
  let announced: number | null = null;
  // One place is left for the end.
  const failBeforeEnd = (item: string, reason: string) => fail(report, item, reason, reported - 1);
  return {
    store(id, outcome) {
      report.found += 1;
      if (outcome === 'gone') failBeforeEnd(id, GONE);
      else if (outcome === 'conflict' || outcome === 'trashed') skip(report, id, SKIPPED[outcome]);
      else report[COUNTED[outcome]] += 1;
    },
    keepSearch() {
      report.savedSearches += 1;
    },
    skip: (item, reason) => skip(report, item, reason),
    fail(item, reason) {
      report.found += 1;
      failBeforeEnd(item, reason);
    },
    end(memories) {
      announced = memories;
    },
    finish() {
      report.isComplete = announced === report.found;
      if (announced === null) fail(report, END, NO_END);
      else if (!report.isComplete) fail(report, END, `The export was written with ${announced} memories.`);
      return report;
    },
    current: () => ({ ...report, skipped: [...report.skipped], failed: [...report.failed] }),
  };
}
