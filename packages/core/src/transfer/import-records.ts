import type { ExportItem, ImportReport } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { type ChunkSizes, chunkSizesFor } from '../capture/chunk-text.js';
import { createId } from '../capture/create-id.js';
import type { CorePorts } from '../core-ports.js';
import { RecollectError } from '../error.js';
import { giveTurns } from '../give-turns.js';
import { draftIndexing } from '../indexing/indexing-draft.js';
import type { NewRecord } from '../ports/index.js';
import { createSavedSearches } from '../saved-searches.js';
import type { ImportOptions } from './import-options.js';
import { createReport, type ReportSoFar } from './import-report.js';
import { importSearches } from './import-searches.js';
import { prepareRecord, splitRecord } from './prepare-record.js';

export type RecordPorts = Pick<CorePorts, 'records' | 'savedSearches' | 'embeddingModel' | 'clock'>;

/** Who imports, a signal that stops it between two batches, and who is told of each batch. */
export type RecordsImport = Pick<ImportOptions, 'by' | 'signal' | 'onProgress'>;

const { batch } = limits.transfer;
/**
 * Milliseconds between two batches in which another process can write. SQLite has no queue for its lock: who waits for
 * it looks again every 25 to 100 ms, and would find it taken for seconds.
 */
const GAP = 30;

/** Stores the memories of an export. Rethrows errors of the store, and adds how much was imported. */
export async function importRecords(
  ports: RecordPorts,
  userId: string,
  items: AsyncIterable<ExportItem>,
  { by, signal, onProgress }: RecordsImport,
): Promise<ImportReport> {
  const mark = { changeId: createId(ports.clock.now()), by: by ?? null };
  const report = createReport();
  const sizes = chunkSizesFor(ports.embeddingModel);
  let pending: NewRecord[] = [];
  let length = 0;
  // While a batch is written, the next one is read and split.
  let writing: Promise<void> = Promise.resolve();
  const write = async (drafts: readonly NewRecord[]) => {
    const indexing = draftIndexing(ports, { isInline: false });
    const now = ports.clock.now().toISOString();
    const outcomes = await ports.records.insert(userId, drafts, { now, indexing, mark });
    for (const [index, outcome] of outcomes.entries()) report.store(drafts[index]?.record.id ?? '', outcome);
    onProgress?.(report.current());
    await new Promise((resolve) => setTimeout(resolve, GAP));
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
  const known = await store.known(userId, keys);
  const drafts: NewRecord[] = [];
  const giveTurn = giveTurns();
  for (const draft of records) {
    const isKnown = known.has(draft.record.id);
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
