import { mkdir, open, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { StoreProblem } from '@recollect/core';
import type { StatementRunner } from './connection.js';
import { watchFileIdentity } from './file-identity.js';
import type { Writer } from './writer.js';

/** Milliseconds between two looks, and until a failed copy is tried again. */
const INTERVALS_MS = { look: 500, retry: 10_000 };

/** Notices when the files of an open store are removed, moved or replaced, and rescues the store. */
export interface StoreWatch {
  /** Looks now. False if a file is no longer in place; then no change may be reported as saved. */
  isInPlace(): boolean;
  /**
   * Does work in which the store's only connection closes and another opens, so that the WAL is another file
   * afterwards.
   */
  whileLogsChange<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Starts looking regularly. */
  start(options: StoreWatchOptions): void;
  /** Ends looking. If the store is gone, waits until it has been copied, or until the copy has failed. */
  stop(): Promise<void>;
  /** Call once no connection has the store open. */
  close(): void;
}

export interface StoreWatchOptions {
  /** Rejects all changes from now on. */
  halt: Writer['halt'];
  /** Called when the end of the file is missing. */
  onDamage: (reason: string) => void;
  /** A connection that can still read the store. */
  source: Pick<StatementRunner, 'run'>;
}

/**
 * Remembers the files of a store that is about to be opened. Call `start` once it is open, and `stop` before it is
 * closed.
 */
export function createStoreWatch(path: string): StoreWatch {
  const fileIdentity = watchFileIdentity(path);
  let loss: Loss | null = null;
  let isCutShort = false;
  let options: StoreWatchOptions | null = null;
  let timer: NodeJS.Timeout | undefined;
  let rescuing: Promise<void> = Promise.resolve();

  const look = (): boolean => {
    if (loss !== null) return false;
    const event = fileIdentity.findLoss();
    if (event === null) {
      if (!isCutShort && !fileIdentity.isCutShort()) return true;
      // Once: a file that is copied there afterwards must not be marked as damaged.
      if (!isCutShort) options?.onDamage(`${basename(path)} was cut short`);
      isCutShort = true;
      return false;
    }
    loss = { path, event, copy: null, hasFailed: false, isOverwritten: fileIdentity.isOverwritten() };
    if (options !== null) begin(loss, options);
    return false;
  };

  const begin = (found: Loss, { halt, source }: StoreWatchOptions) => {
    halt(goneProblem(found), { explainsDamage: found.isOverwritten });
    const continueRescue = () => {
      rescuing = rescuing.then(() => rescue(found, source));
    };
    continueRescue();
    clearInterval(timer);
    timer = setInterval(continueRescue, INTERVALS_MS.retry).unref();
  };

  const rescue = async (found: Loss, source: StoreWatchOptions['source']) => {
    try {
      if (found.isOverwritten) {
        // Its connections would mix both contents, so there is nothing to copy.
        await moveAside(dirname(path));
        return;
      }
      found.copy ??= await rescueCopy(path, source, new Date());
      if (fileIdentity.isReplaced()) await moveAside(dirname(found.copy));
    } catch {
      found.hasFailed = found.copy === null;
    }
  };

  /** The WAL of the former file would be applied to the file that replaced it. The copy has its content. */
  const moveAside = async (folder: string) => {
    for (const file of [`${path}-wal`, `${path}-shm`]) {
      if (!fileIdentity.isOwn(file)) continue;
      // Another disk takes no renamed file.
      await rename(file, join(folder, `${basename(file)}-former`)).catch(() => rename(file, `${file}-former`));
    }
  };

  return {
    isInPlace: look,
    close: fileIdentity.close,
    whileLogsChange: fileIdentity.whileLogsChange,
    start(watchOptions) {
      options = watchOptions;
      timer = setInterval(look, INTERVALS_MS.look).unref();
      look();
    },
    async stop() {
      look();
      clearInterval(timer);
      await rescuing;
      if (loss !== null && options !== null) await rescue(loss, options.source);
      // A copy over the file cuts it to nothing first, which looks like damage.
      else if (fileIdentity.isOverwritten()) await moveAside(dirname(path)).catch(() => {});
    },
  };
}

/** Facts about a store whose files were removed, moved or replaced while it was open. */
interface Loss {
  /** The path of the store. */
  path: string;
  /** The event, such as `recollect.db was replaced`. */
  event: string;
  /** The path of the copy of the store. Null until it has been made. */
  copy: string | null;
  hasFailed: boolean;
  /** Whether the file is still there, with another content. */
  isOverwritten: boolean;
}

/**
 * The problem of such a store. Its message follows the progress of the copy, and names no folder above the data folder.
 */
function goneProblem(loss: Loss): StoreProblem {
  return {
    code: 'STORE_GONE',
    get message() {
      return `${loss.event} while Recollect was running. No changes are accepted. ${describeCopy(loss)}`;
    },
    get rescue() {
      return loss.copy;
    },
  };
}

function describeCopy({ path, copy, hasFailed, isOverwritten }: Loss): string {
  const name = basename(path);
  if (isOverwritten)
    return `Earlier memories are in the backups; the latest changes may be in ${name}-wal-former. Stop Recollect. Start it again if the new content is what you want; otherwise run recollect restore first.`;
  if (copy !== null) {
    const isBeside = dirname(dirname(copy)) === dirname(dirname(path));
    const place = isBeside ? 'beside the data folder' : 'in your home folder';
    return `Everything that was saved is in ${basename(dirname(copy))}/${name}, ${place}. Stop Recollect, put that file into the data folder as ${name}, without a ${name}-wal or ${name}-shm, and start again.`;
  }
  return hasFailed
    ? 'Your memories could not be copied yet, and are lost when Recollect ends. Free disk space beside the data folder. Recollect tries again every 10 seconds.'
    : 'Everything that was saved is being copied to a folder beside the data folder.';
}

/**
 * Writes a copy of a store whose file is no longer at its path. Its connections still have the file open, so nothing is
 * lost until they close. The copy is one file without a WAL, synced before it gets its name. It stands in a new folder
 * beside the data folder, or in the home folder if that is not possible.
 *
 * @returns the path of the copy
 */
async function rescueCopy(path: string, { run }: Pick<StatementRunner, 'run'>, now: Date): Promise<string> {
  const beside = dirname(dirname(path));
  const name = `${basename(dirname(path))}-rescued-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`;
  try {
    return await copyInto(await makeFolder(join(beside, name)), path, run);
  } catch (error) {
    if (homedir() === beside) throw error;
    return await copyInto(await makeFolder(join(homedir(), name)), path, run);
  }
}

async function copyInto(folder: string, path: string, run: StatementRunner['run']): Promise<string> {
  const target = join(folder, basename(path));
  const unfinished = `${target}-unfinished`;
  try {
    // SQLite would make it readable for others.
    await (await open(unfinished, 'wx', 0o600)).close();
    await run('vacuum into ?', [unfinished]);
    // Windows syncs no file that is opened for reading only.
    await sync(unfinished, 'r+');
    await rename(unfinished, target);
    // Windows cannot sync folders.
    for (const made of [folder, dirname(folder)]) await sync(made, 'r').catch(() => {});
    return target;
  } catch (error) {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}

/** Makes a folder that only the user can read, with a number if another one has the name. */
async function makeFolder(folder: string, attempt = 1): Promise<string> {
  const numbered = attempt === 1 ? folder : `${folder}-${attempt}`;
  try {
    await mkdir(numbered, { mode: 0o700 });
    return numbered;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return await makeFolder(folder, attempt + 1);
  }
}

async function sync(file: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(file, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
