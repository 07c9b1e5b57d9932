import type { Actor, ImportReport } from '@recollect/contract';
import type { ImportSelection } from './selection.js';

export interface ImportOptions extends ImportSelection {
  /** Who imports, for the history. */
  by?: Actor | null | undefined;
  /** Stops the import between two batches, with the signal's reason. Imported items stay. */
  signal?: AbortSignal | undefined;
  /** Whether others save at the moment, so that the import should let them go first. */
  isBusy?: (() => boolean) | undefined;
  /** Called after each batch with the report so far. */
  onProgress?: ((report: ImportReport) => void) | undefined;
}

export interface ImportFileOptions extends ImportOptions {
  /** The name that the file had where it comes from. */
  name: string;
}
