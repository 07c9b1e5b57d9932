import type { Actor, ImportReport } from '@recollect/contract';
import type { CaptureVerb } from '../capture/capture.js';
import type { Memories } from '../memories/memories.js';
import type { ExportedItem } from '../ports/index.js';

/** The verbs that an import uses, for whom, and where it counts. */
export interface ItemsImport {
  capture: CaptureVerb;
  memories: Pick<Memories, 'present' | 'history' | 'lookup' | 'update'>;
  userId: string;
  by: Actor | null;
  report: ImportReport;
  signal?: AbortSignal | undefined;
  isBusy?: (() => boolean) | undefined;
  onProgress?: ((report: ImportReport) => void) | undefined;
}

/** An import with the ids of the memories that it has created. */
export interface RunningImport extends ItemsImport {
  created: Set<string>;
}

/** The name of an item in reports. */
export function nameOf({ capture }: Pick<ExportedItem, 'capture'>): string {
  const { title, fileName, url, pageText, selection } = capture;
  const file = fileName?.slice(fileName.lastIndexOf('/') + 1);
  return title || file || url || (pageText ?? selection ?? '').slice(0, 80);
}
