import type { FileFacts } from './check-file.js';

/** The work of the thread: copy an open store and check the copy, or check a file that nothing else uses. */
export type FileWork = {
  /** A number that is not zero stops the work. */
  stopping: Int32Array;
} & ({ kind: 'copy'; source: string; target: string } | { kind: 'check'; target: string });

export type FileResult =
  | (FileFacts & { outcome: 'done'; sha256: string; bytes: number })
  | { outcome: 'stopped' }
  | { outcome: 'gone' }
  | { outcome: 'damaged'; message: string }
  | { outcome: 'failed'; message: string; code: string };
