import type { ExportItem, ImportReport, SavedSearchBody } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { tagKey } from '@recollect/contract/text';
import { type ChunkSizes, chunkSizesFor } from '../chunking/chunk-text.js';
import { RecollectError } from '../error.js';
import { giveTurns } from '../give-turns.js';
import { draftIndexing } from '../indexing/indexing-draft.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { NewRecord, RecordOutcome } from '../ports/index.js';
import { createSavedSearches, type SavedSearches } from '../saved-searches.js';
import { createTagLooks } from '../tag-looks.js';
import { createId } from '../text/create-id.js';
import { prepareRecord, splitRecord } from './prepare-record.js';
import { emptyReport, fail, skip } from './report.js';
import type { ImportOptions } from './selection.js';

/** The report of an import, while it runs. */
interface ReportSoFar {
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
const END_NAME = 'end';
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
      if (announced === null) fail(report, END_NAME, NO_END);
      else if (!report.isComplete) fail(report, END_NAME, `The export was written with ${announced} memories.`);
      return report;
    },
    current: () => ({ ...report, skipped: [...report.skipped], failed: [...report.failed] }),
  };
}

/**
 * Adds the saved searches of an export. If a name belongs to another query here, that one is kept and the other
 * reported.
 */
async function importSearches(
  savedSearches: SavedSearches,
  userId: string,
  searches: readonly SavedSearchBody[],
  report: ReportSoFar,
): Promise<void> {
  const present = (await savedSearches.list(userId)).savedSearches;
  const queriesByName = new Map(present.map(({ name, query }) => [tagKey(name), query]));
  for (const { name, query } of searches) {
    if (queriesByName.get(tagKey(name)) === query) continue;
    try {
      await savedSearches.create(userId, { name, query });
      report.keepSearch();
    } catch (error) {
      if (!(error instanceof RecollectError)) throw error;
      const isTaken = error.code === 'NAME_TAKEN';
      report.skip(`saved search ${name}`, isTaken ? TAKEN : error.message);
    }
  }
}

const TAKEN = 'There is already a saved search with this name and another query, which was kept.';

export type RecordPorts = Pick<CorePorts, 'records' | 'savedSearches' | 'tagLooks' | 'embeddingModel' | 'clock'>;

/** The actor, the id, a signal that stops the import between two batches, and a listener for each batch. */
export type RecordsImport = Pick<ImportOptions, 'actor' | 'importId' | 'signal' | 'onProgress'>;

const { batch } = limits.transfer;
/**
 * Milliseconds between two batches in which another process can write. SQLite has no queue for its lock: who waits for
 * it looks again every 25 to 100 ms, and would find it taken for seconds.
 */
const PAUSE_MS = 30;

/** Stores the memories of an export. Rethrows errors of the store, and adds how much was imported. */
export async function importRecords(
  ports: RecordPorts,
  userId: string,
  items: AsyncIterable<ExportItem>,
  { actor = null, importId = createId(ports.clock.now()), signal, onProgress }: RecordsImport,
): Promise<ImportReport> {
  const changeMark = { changeId: importId, actor, isImport: true };
  const report = createReport();
  const sizes = chunkSizesFor(ports.embeddingModel);
  let pending: NewRecord[] = [];
  let length = 0;
  // While a batch is written, the next one is read and split.
  let writing: Promise<void> = Promise.resolve();
  const write = async (drafts: readonly NewRecord[]) => {
    const indexing = draftIndexing(ports, { isInline: false });
    const now = ports.clock.now().toISOString();
    const outcomes = await ports.records.insert(userId, drafts, { now, indexing, changeMark });
    for (const [index, outcome] of outcomes.entries()) report.store(drafts[index]?.record.id ?? '', outcome);
    onProgress?.(report.current());
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  };
  const flush = async () => {
    const records = pending;
    pending = [];
    length = 0;
    const drafts = await splitBatch(ports, userId, records, sizes);
    await writing;
    signal?.throwIfAborted();
    writing = write(drafts);
    // Reported when it is awaited.
    writing.catch(() => {});
  };
  try {
    const giveTurn = giveTurns();
    for await (const item of items) {
      await giveTurn();
      if (item.kind === 'searches') await importSearches(createSavedSearches(ports), userId, item.searches, report);
      else if (item.kind === 'looks') await createTagLooks(ports).add(userId, item.looks);
      else if (item.kind === 'end') report.end(item.memories);
      else if (item.kind === 'failure') report.fail(`line ${item.line}`, item.reason);
      else {
        const prepared = await prepareRecord(item.record).catch((error) => reasonOf(error));
        if (typeof prepared === 'string') report.fail(item.record.id, prepared);
        else {
          pending.push(prepared);
          length += item.length;
        }
      }
      if (pending.length >= batch.memories || length >= batch.length) await flush();
    }
    if (pending.length > 0) await flush();
    await writing;
  } catch (error) {
    await writing.catch(() => {});
    throwFor(error, report);
  }
  return report.finish();
}

/**
 * Splits the texts of a batch, except of those memories that are stored already: that makes repeating an import fast.
 */
async function splitBatch(
  { records: store }: RecordPorts,
  userId: string,
  records: readonly NewRecord[],
  sizes: ChunkSizes,
): Promise<NewRecord[]> {
  const keys = records.map(({ record: { id, deletedAt }, contentHash }) => ({
    id,
    contentHash: deletedAt === null ? contentHash : null,
  }));
  const storedRecords = await store.known(userId, keys);
  const drafts: NewRecord[] = [];
  const giveTurn = giveTurns();
  for (const draft of records) {
    const isKnown = storedRecords.has(draft.record.id);
    drafts.push(isKnown ? draft : { ...draft, chunks: await splitRecord(draft.record, sizes) });
    await giveTurn();
  }
  return drafts;
}

function reasonOf(error: unknown): string {
  if (error instanceof RecollectError) return error.message;
  throw error;
}

/** Adds to an error of the store how much was imported. */
function throwFor(error: unknown, report: ReportSoFar): never {
  // A file that cannot be read says so in its first line.
  if (!(error instanceof RecollectError) || error.code === 'EXPORT_UNREADABLE') throw error;
  const { created, updated } = report.current();
  const done = `${created + updated} of the memories were imported before. Then import the file again: the rest follows.`;
  throw new RecollectError(error.code, `${error.message} ${done}`, { cause: error });
}
