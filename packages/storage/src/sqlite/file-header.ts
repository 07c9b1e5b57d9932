import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Offsets in the header of a database file (sqlite.org/fileformat2.html), and its length. */
const OFFSET = { pageSize: 16, changeCounter: 24, pages: 28, userVersion: 60, applicationId: 68 };
const BYTES = 100;

/** The identity of a database file's content, from its first bytes. */
interface Content {
  size: number;
  /** How many bytes the pages have that the file says it has. */
  pageBytes: number;
  /** Grows with each write of the first page. */
  changeCounter: number;
  /** The id of the store (`user_version`); 0 if it has none yet. */
  storeId: number;
  applicationId: number;
}

/** Another content is in the file, or the content of the store without its end. */
export type ContentChange = 'overwritten' | 'cut short';

/** Notices when another program writes into the file of an open store. */
export interface FileHeader {
  /** How the content changed. Null if it is still the store's. */
  findChange(): ContentChange | null;
  /** Call once the connections of the store are closed. */
  close(): void;
}

/**
 * The descriptors of this process, by device and number of the file. On POSIX, closing any descriptor of a file
 * releases the locks that the process holds on it, which other connections may need. So all who watch a file share one,
 * and it stays open as long as the file has a name.
 */
const shared = new Map<string, { file: number; watchers: number }>();

/**
 * Remembers the content of a file by its header: within a store, the change counter never falls, the id stays, and a
 * file that shrinks still has all of its pages, since SQLite shortens it only when it is vacuumed. Detects a copy over
 * the file unless it is a later state of the same store.
 */
export function watchHeader(path: string): FileHeader {
  const { file, release } = openShared(path);
  let lastContent: Content | null = null;
  const read = (): Content | null => {
    try {
      return readContent();
    } catch {
      // A disk that does not respond does not prove that the content changed. SQLite reports the error.
      return lastContent;
    }
  };
  const readContent = (): Content | null => {
    const header = Buffer.alloc(BYTES);
    const { size } = fstatSync(file);
    if (readSync(file, header, 0, BYTES, 0) < BYTES) return size === 0 ? null : { ...EMPTY, size };
    return {
      size,
      pageBytes: pageSizeOf(header) * header.readUInt32BE(OFFSET.pages),
      changeCounter: header.readUInt32BE(OFFSET.changeCounter),
      storeId: header.readUInt32BE(OFFSET.userVersion),
      applicationId: header.readUInt32BE(OFFSET.applicationId),
    };
  };
  lastContent = read();

  return {
    findChange() {
      let present = read();
      let change = compare(lastContent, present);
      // A checkpoint may have been writing the header.
      if (change !== null) {
        present = read();
        change = compare(lastContent, present);
      }
      if (change === null) lastContent = present;
      return change;
    },
    close: release,
  };
}

function openShared(path: string): { file: number; release: () => void } {
  for (const [key, { file, watchers }] of shared) {
    if (watchers > 0 || fstatSync(file).nlink > 0) continue;
    shared.delete(key);
    closeSync(file);
  }
  const { dev, ino } = statSync(path, { bigint: true });
  const key = `${dev}:${ino}`;
  const entry = shared.get(key) ?? { file: openSync(path, 'r'), watchers: 0 };
  shared.set(key, entry);
  entry.watchers += 1;
  return {
    file: entry.file,
    release() {
      entry.watchers -= 1;
    },
  };
}

/** 1 stands for 65,536, which the two bytes cannot hold. */
function pageSizeOf(header: Buffer): number {
  const size = header.readUInt16BE(OFFSET.pageSize);
  return size === 1 ? 65_536 : size;
}

const EMPTY = { pageBytes: 0, changeCounter: 0, storeId: 0, applicationId: 0 };

function compare(opened: Content | null, present: Content | null): ContentChange | null {
  if (opened === null) return null;
  if (present === null) return 'cut short';
  const isOther = opened.storeId !== 0 && present.storeId !== opened.storeId;
  const isMarked = opened.applicationId !== 0 && present.applicationId !== opened.applicationId;
  if (isOther || isMarked || present.changeCounter < opened.changeCounter) return 'overwritten';
  return present.size < opened.size && present.size < present.pageBytes ? 'cut short' : null;
}
