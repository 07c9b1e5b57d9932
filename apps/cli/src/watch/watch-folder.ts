import { stat } from 'node:fs/promises';
import { basename, relative, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
import pLimit from 'p-limit';
import type { CallOperation } from '../executor/executor.js';
import { keepInStep, type Step } from './keep-in-step.js';
import { type ReadPdf, readWatchedFiles, type WatchedFiles, writeWatchedFiles } from './watched-files.js';

/** Files that are kept in step. */
const WATCHED = /\.(?:md|markdown|mdown|mkd|txt|text|org|rst|adoc|tex|pdf|epub|docx|odt)$/i;
/** Files that editors and synchronisers write beside a file: locks, backups and halves. */
const TEMPORARY =
  /^(?:\.|~\$|#)|(?:~|#|\.(?:tmp|temp|swp|swx|bak|part|partial|crdownload|download))$|\.sb-[0-9a-f]|^4913$/i;
const LEFT_OUT: readonly string[] = ['node_modules'];

/** Whether a file is kept in step, by its name. */
export function isWatchedFile(path: string): boolean {
  return WATCHED.test(path) && !TEMPORARY.test(basename(path));
}

/** Whether a folder in a watched one is left out: a hidden one has settings, or what was deleted. */
function isLeftOut(folder: string): boolean {
  return folder.startsWith('.') || LEFT_OUT.includes(folder);
}

/** Milliseconds without an event before files are read: a program that saves or renames makes several. */
const SETTLE = 500;
/** Milliseconds for which a file must not grow before it is read. */
const COMPLETE = { stabilityThreshold: 300, pollInterval: 100 };

export interface WatchOptions {
  dataFolder: string;
  /** Does work on the store, wherever that is open. */
  withCall: <T>(work: (call: CallOperation) => Promise<T>) => Promise<T>;
  readPdf: ReadPdf;
  tags?: readonly string[];
  onStep: (step: Step) => void;
  /** Called with a sentence about the folder itself, or about a store that cannot be written: both are tried again. */
  onProblem: (sentence: string) => void;
}

export interface FolderWatch {
  /** Settles when the memories are what the files were at the start. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/**
 * Keeps the memories of a folder's files in step with them: a changed file updates its memory, a deleted file moves it
 * to the trash, and a renamed file keeps it. While the folder is missing or empty, as an unmounted disk is, nothing is
 * deleted.
 */
export function watchFolder(
  path: string,
  { dataFolder, withCall, readPdf, tags = [], onStep, onProblem }: WatchOptions,
): FolderWatch {
  const folder = resolve(path);
  const pending = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  /** The state is read once all files are known. */
  let isReady = false;
  const inTurn = pLimit(1);
  let state: WatchedFiles = { files: {}, gone: {} };
  const seen = new Set<string>();

  const inFolder = (file: string) => relative(folder, file).replaceAll(sep, '/');
  const isIgnored = (file: string, facts?: { isFile(): boolean }) =>
    file !== folder && (isLeftOut(basename(file)) || (facts?.isFile() === true && !isWatchedFile(file)));
  const watcher = watch(folder, {
    ignored: isIgnored,
    ignoreInitial: false,
    followSymlinks: false,
    atomic: true,
    awaitWriteFinish: COMPLETE,
  });
  const later = (file: string) => {
    pending.add(inFolder(file));
    clearTimeout(timer);
    if (isReady && !isClosed) timer = setTimeout(run, SETTLE);
  };
  const run = () => inTurn(process).catch((error) => onProblem((error as Error).message));

  async function process(): Promise<void> {
    if (isClosed || pending.size === 0) return;
    const paths = [...pending].sort();
    pending.clear();
    if (await isUnmounted()) return onProblem(`${folder} is missing or empty. Its memories stay unchanged.`);
    try {
      await withCall((call) => keepInStep({ folder, call, readPdf, tags, onStep }, state, paths));
    } catch (error) {
      // A store that cannot be written may be writable later.
      for (const changedPath of paths) pending.add(changedPath);
      if (!isClosed) timer = setTimeout(run, RETRY);
      throw error;
    } finally {
      await writeWatchedFiles(dataFolder, folder, state);
    }
  }

  /** Whether all known files are missing. */
  async function isUnmounted(): Promise<boolean> {
    if ((await stat(folder).catch(() => null))?.isDirectory() !== true) return true;
    return seen.size === 0 && Object.keys(state.files).length > 1;
  }

  watcher.on('add', (file) => {
    seen.add(file);
    later(file);
  });
  watcher.on('change', later);
  watcher.on('unlink', (file) => {
    seen.delete(file);
    later(file);
  });
  watcher.on('error', (error) => onProblem((error as Error).message));

  const ready = new Promise<void>((done) => watcher.on('ready', () => done())).then(async () => {
    state = await readWatchedFiles(dataFolder, folder);
    // Files that were deleted while nothing watched.
    for (const knownPath of Object.keys(state.files)) pending.add(knownPath);
    isReady = true;
    await run();
  });
  return {
    ready,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await watcher.close();
      await inTurn(async () => {});
    },
  };
}

/** Milliseconds after which a store that could not be written is tried again. */
const RETRY = 10_000;
