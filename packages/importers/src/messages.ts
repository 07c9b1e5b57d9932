import type { ExportPart } from '@recollect/core';

/** The input of a process that reads an export. */
export interface ExportJob {
  path: string;
  name: string;
  /** Files that were read already, and are left out. */
  done: number;
  /** Programs whose exports are read; all by default. */
  programs?: readonly string[] | undefined;
}

/** Its messages. `begins` comes before it reads a file. Each of the others answers a question for more. */
export type FromExportProcess =
  | { begins: string; number: number }
  | { parts: ExportPart[] }
  | { isDone: true }
  /** Whether the archive is damaged; otherwise another error ended the reading. */
  | { isUnreadable: boolean; code: string | undefined; reason: string };
