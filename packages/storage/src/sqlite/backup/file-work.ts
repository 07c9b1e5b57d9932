import type { FileFacts } from './check-file.js';

/**
 * The work of the thread: copy an open store and check the copy, check a file that nothing else uses, or compare such a
 * file with another.
 */
export type FileWork = {
  /** A number that is not zero stops the work. */
  stopping: Int32Array;
} & (
  | { kind: 'copy'; source: string; target: string }
  | { kind: 'check'; target: string }
  | { kind: 'compare'; target: string; backup: string }
);

export type CheckedFile = FileFacts & { sha256: string; bytes: number };

export type FileResult<Done = CheckedFile> =
  | (Done & { outcome: 'done' })
  | { outcome: 'stopped' }
  | { outcome: 'gone' }
  | { outcome: 'damaged'; message: string }
  | { outcome: 'failed'; message: string; code: string };
