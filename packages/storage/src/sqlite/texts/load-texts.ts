import type { CallProcedure } from '../procedures/procedures.js';
import { viewControl } from '../vectors/vector-memory.js';
import type { TextFileProgress } from './text-file.js';
import type { TextMemory } from './text-memory.js';

/** Chunks that one call loads, and changes that it applies: the connection is free again after about 20 ms. */
const PAGE = 300;
/** Changes of which searches apply a few themselves; more are applied in the background. */
const MAX_BEHIND = 20;
/** A file is written for at least so many texts, and again after so many changes, which take a start 0.2 s. */
const MIN_SAVED = 1_000;

/** Whether the text index is in memory, and brings it there. */
export interface TextLoader {
  /**
   * Whether the index in memory can answer a search up to the newest change. If not, it is loaded or brought up to date
   * in the background.
   *
   * @param newest the number of that change
   */
  isReady(newest: number): boolean;
  /** Loads the index, or brings it up to date, unless that has failed before. Resolves when it has ended. */
  load(): Promise<void>;
  /** Keeps the index in its file, if that would save a start much work. Never rejects. */
  save(): Promise<void>;
}

export interface TextLoaderOptions {
  call: CallProcedure;
  memory: TextMemory;
  /** The file beside the store that keeps the index. */
  file: string;
  /** The number of the newest change. */
  latest: () => Promise<number>;
  /** Receives a sentence that says why searches are slower than they could be. */
  onNotice: (notice: string) => void;
}

export function createTextLoader({ call, memory, file, latest, onNotice }: TextLoaderOptions): TextLoader {
  const control = viewControl(memory.control);
  let working: Promise<void> | null = null;
  let isGivenUp = false;
  /** The number of the newest change in the file. */
  let saved = Number.NEGATIVE_INFINITY;

  const catchUp = async () => {
    while (await call('catchUpTexts', await latest(), PAGE));
  };

  /** Continues with the index of the file. Returns whether that was possible. */
  const fillFromFile = async (): Promise<boolean> => {
    const header = await call('findTextFile', file);
    if (header === null) return false;
    let progress: TextFileProgress | null = { from: 0, checksum: 0 };
    while (progress !== null && progress.from < header.bytes)
      progress = await call('readTextFile', file, header, progress);
    if (progress === null) return false;
    control.sequence = header.sequence;
    saved = header.sequence;
    try {
      await catchUp();
      return true;
    } catch (error) {
      if (!isTrimmed(error)) throw error;
      return false;
    }
  };

  const fillFromStore = async () => {
    await call('resetTexts', await latest());
    for (let last: number | null = 0; last !== null; ) last = await call('loadTexts', last, PAGE);
    await catchUp();
  };

  const fill = async () => {
    // The file of an index with many removed texts has them too.
    const mayContinue = !control.isWasteful;
    control.generation += 1;
    control.state = 'loading';
    if (!mayContinue || !(await fillFromFile())) await fillFromStore();
    control.isWasteful = false;
    control.state = 'ready';
  };

  /** Runs work on the index, one at a time, after which the index is whole or given up. */
  const run = (work: () => Promise<void>): Promise<void> => {
    working ??= work()
      .catch((error) => {
        control.state = 'failed';
        if (isTrimmed(error)) return;
        isGivenUp = true;
        if (codeOf(error) !== 'CLOSED') onNotice(noticeOf(error));
      })
      .finally(() => {
        working = null;
      });
    return working;
  };

  const isReady = () => control.state === 'ready' && !control.isWasteful;
  const load = () => (isGivenUp ? Promise.resolve() : run(isReady() ? catchUp : fill));

  const write = async () => {
    const { sequence, generation } = control;
    let progress: TextFileProgress | null = { from: 0, checksum: 0 };
    while (progress !== null) progress = await call('writeTextFile', file, { sequence, generation }, progress);
    saved = sequence;
  };

  return {
    isReady(newest) {
      if (!isReady()) void load();
      else if (newest - control.sequence > MAX_BEHIND) void run(catchUp);
      return isReady();
    },
    load,
    async save() {
      if (!isReady() || working !== null) return;
      await run(catchUp);
      if (!isReady() || control.sequence - saved < MIN_SAVED) return;
      // Without the file, the next start takes longer.
      if ((await call('countTexts').catch(() => 0)) >= MIN_SAVED) await write().catch(() => {});
    },
  };
}

function noticeOf(error: unknown): string {
  return codeOf(error) === 'VECTORS_FULL'
    ? 'RECOLLECT_TEXT_MEMORY is too small for the texts of this store: they are searched on disk, which is slower.'
    : `The texts could not be loaded into memory (${(error as Error).message}): they are searched on disk, which is slower.`;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

/** Whether an index is only too old to be continued. */
function isTrimmed(error: unknown): boolean {
  return codeOf(error) === 'TEXTS_LOG_TRIMMED';
}
