import { basename, dirname } from 'node:path';
import type { StoreProblem } from '@recollect/core';

/** Facts about a store whose files were removed, moved or replaced while it was open. */
export interface Loss {
  /** The path of the store. */
  path: string;
  /** What happened, such as `recollect.db was replaced`. */
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
export function goneProblem(loss: Loss): StoreProblem {
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
