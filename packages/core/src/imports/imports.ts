import type { Actor, ImportPreview, ItemsReport } from '@recollect/contract';
import type { CaptureVerb } from '../capture/capture.js';
import type { CorePorts } from '../core-ports.js';
import type { Memories } from '../memories/memories.js';
import type { ExportPart } from '../ports/index.js';
import { importItems } from './import-items.js';
import { createItemsReport } from './items-report.js';
import { previewItems } from './preview-items.js';

export interface ImportFileOptions {
  /** The name that the file had where it comes from. */
  name: string;
  /** Who imports, for the history. */
  by?: Actor | null | undefined;
  /** Stops the import between two batches, with the signal's reason. What was imported stays. */
  signal?: AbortSignal | undefined;
  /** Called after each batch with the report so far. */
  onProgress?: ((report: ItemsReport) => void) | undefined;
}

/** Imports of what other programs have exported. */
export interface Imports {
  /** The programs, as messages call them. */
  programs(): Promise<readonly string[]>;
  /**
   * Imports a file of this machine: an export, also compressed, or an archive with the files of one. Importing it again adds nothing. If
   * nothing in it is a known export, the report has no programs. Throws EXPORT_UNREADABLE for an archive that is damaged or incomplete,
   * and what the store throws; what was read before stays.
   *
   * @example
   * const report = await core.imports.fromFile('local', '/home/ann/takeout.zip', { name: 'takeout.zip' });
   * console.log(`${report.programs.join(', ')}: ${report.created} imported`);
   */
  fromFile(userId: string, path: string, options: ImportFileOptions): Promise<ItemsReport>;
  /**
   * Reads a file as an import does, and changes nothing. If nothing in it is a known export, the preview has no programs.
   *
   * @example
   * const { found, first } = await core.imports.preview('/home/ann/takeout.zip', { name: 'takeout.zip' });
   * console.log(`${found} found: ${first.map(({ title }) => title).join(', ')}`);
   */
  preview(path: string, options: Pick<ImportFileOptions, 'name' | 'signal'>): Promise<ImportPreview>;
}

const NOTHING: AsyncIterable<ExportPart> = { async *[Symbol.asyncIterator]() {} };

/** Without an `exportReader`, no export is known. */
export function createImports(
  { exportReader }: Pick<CorePorts, 'exportReader'>,
  { capture, memories }: { capture: CaptureVerb; memories: Memories },
): Imports {
  return {
    programs: async () => (await exportReader?.programs()) ?? [],
    async fromFile(userId, path, { name, by = null, signal, onProgress }) {
      const report = createItemsReport();
      const parts = exportReader?.read(path, { name, signal });
      if (parts !== undefined) await importItems({ capture, memories, userId, by, report, signal, onProgress }, parts);
      return report;
    },
    async preview(path, { name, signal }) {
      return previewItems(name, exportReader?.read(path, { name, signal }) ?? NOTHING);
    },
  };
}
