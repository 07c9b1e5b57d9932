import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { StatementRunner } from './connection.js';
import { goneProblem, type Loss } from './gone-problem.js';
import { watchPresence } from './presence.js';
import { rescueCopy } from './rescue.js';
import type { Writer } from './writer.js';

/** Milliseconds between two looks, and until a failed copy is tried again. */
const PACE = { look: 500, retry: 10_000 };

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
  const presence = watchPresence(path);
  let loss: Loss | null = null;
  let isCutShort = false;
  let options: StoreWatchOptions | null = null;
  let timer: NodeJS.Timeout | undefined;
  let rescuing: Promise<void> = Promise.resolve();

  const look = (): boolean => {
    if (loss !== null) return false;
    const event = presence.findLoss();
    if (event === null) {
      if (!isCutShort && !presence.isCutShort()) return true;
      // Once: a file that is copied there afterwards must not be marked as damaged.
      if (!isCutShort) options?.onDamage(`${basename(path)} was cut short`);
      isCutShort = true;
      return false;
    }
    loss = { path, event, copy: null, hasFailed: false, isOverwritten: presence.isOverwritten() };
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
    timer = setInterval(continueRescue, PACE.retry).unref();
  };

  const rescue = async (found: Loss, source: StoreWatchOptions['source']) => {
    try {
      if (found.isOverwritten) {
        // Its connections would mix both contents, so there is nothing to copy.
        await moveAside(dirname(path));
        return;
      }
      found.copy ??= await rescueCopy(path, source, new Date());
      if (presence.isReplaced()) await moveAside(dirname(found.copy));
    } catch {
      found.hasFailed = found.copy === null;
    }
  };

  /** The WAL of the former file would be applied to the file that replaced it. The copy has its content. */
  const moveAside = async (folder: string) => {
    for (const file of [`${path}-wal`, `${path}-shm`]) {
      if (!presence.isOwn(file)) continue;
      // Another disk takes no renamed file.
      await rename(file, join(folder, `${basename(file)}-former`)).catch(() => rename(file, `${file}-former`));
    }
  };

  return {
    isInPlace: look,
    close: presence.close,
    whileLogsChange: presence.whileLogsChange,
    start(given) {
      options = given;
      timer = setInterval(look, PACE.look).unref();
      look();
    },
    async stop() {
      look();
      clearInterval(timer);
      await rescuing;
      if (loss !== null && options !== null) await rescue(loss, options.source);
      // A copy over the file cuts it to nothing first, which looks like damage.
      else if (presence.isOverwritten()) await moveAside(dirname(path)).catch(() => {});
    },
  };
}
