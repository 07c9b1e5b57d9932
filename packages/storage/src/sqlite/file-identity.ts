import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { watchHeader } from './file-header.js';

/** Whether the files of an open store are still where they were opened. */
export interface FileIdentity {
  /** The event, such as `recollect.db was replaced`. Null if all files are in place. */
  findLoss(): string | null;
  /** Whether a path still has the file of the store that was opened. False if there is no file. */
  isOwn(file: string): boolean;
  /** Whether another file now has the name of the database. */
  isReplaced(): boolean;
  /** Whether the file is still in place, but with another content. */
  isOverwritten(): boolean;
  /** Whether the end of the file is missing. */
  isCutShort(): boolean;
  /** Does work after which the WAL and its index may be other files. Meanwhile they are not looked at. */
  whileLogsChange<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Call once no connection has the file open. */
  close(): void;
}

/** The WAL and its index exist from the first statement on, until the last connection is closed. */
const LATER = ['-wal', '-shm'];
/** A file that cannot be examined, for example without permission. It may still exist. */
const UNKNOWN = 'unknown';

/**
 * Remembers the files of a store that is about to be opened. Looks at them by path: closing a descriptor of the
 * database would release the locks of this process. A look takes a few microseconds, so it may follow every commit.
 */
export function watchFileIdentity(path: string): FileIdentity {
  const folder = dirname(path);
  const identities = new Map([folder, path].map((file) => [file, identityOf(file)]));
  const header = watchHeader(path);
  let areLogsChanging = false;

  const isInPlace = (file: string): boolean => {
    const present = identityOf(file);
    const opened = identities.get(file) ?? UNKNOWN;
    if (opened !== UNKNOWN) return present === opened || present === UNKNOWN;
    identities.set(file, present);
    return true;
  };
  const describeLoss = (file: string, name: string) =>
    `${name} was ${identityOf(file) === null ? 'removed or moved' : 'replaced'}`;

  return {
    findLoss() {
      const isFolderInPlace = isInPlace(folder);
      if (!isInPlace(path))
        return isFolderInPlace ? describeLoss(path, basename(path)) : describeLoss(folder, 'The data folder');
      const lost = areLogsChanging ? undefined : LATER.find((ending) => !isInPlace(path + ending));
      if (lost !== undefined) return describeLoss(path + lost, basename(path) + lost);
      return header.findChange() === 'overwritten' ? `${basename(path)} was overwritten` : null;
    },
    isOwn: (file) => identities.has(file) && identities.get(file) !== null && identityOf(file) === identities.get(file),
    isReplaced: () => ![null, UNKNOWN, identities.get(path)].includes(identityOf(path)),
    isOverwritten: () => isInPlace(folder) && isInPlace(path) && header.findChange() === 'overwritten',
    isCutShort: () => header.findChange() === 'cut short',
    async whileLogsChange(work) {
      areLogsChanging = true;
      try {
        return await work();
      } finally {
        for (const ending of LATER) identities.delete(path + ending);
        areLogsChanging = false;
      }
    },
    close: header.close,
  };
}

/** The device and number of a file. Null if there is none. */
function identityOf(file: string): string | null {
  try {
    const status = statSync(file, { bigint: true, throwIfNoEntry: false });
    return status === undefined ? null : `${status.dev}:${status.ino}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? null : UNKNOWN;
  }
}
