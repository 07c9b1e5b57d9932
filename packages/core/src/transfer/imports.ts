import type { ExportItem, ImportList, ImportPreview, ImportReport } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CaptureUseCase } from '../capture/capture.js';
import { RecollectError } from '../error.js';
import type { Memories } from '../memories/memories.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { ExportPart } from '../ports/index.js';
import { createId } from '../text/create-id.js';
import { importItems } from './import-items.js';
import type { Records } from './records.js';
import { emptyReport, fail, itemName, note } from './report.js';
import {
  checkSelection,
  type ImportFileOptions,
  type ImportOptions,
  programsCalled,
  selectParts,
  selectRecords,
} from './selection.js';

/** Imports exports of Recollect and of other programs. Each is a change that {@link BulkChanges.undo} undoes. */
export interface Imports {
  /** The latest imports that changed something, newest first. */
  list(userId: string): Promise<ImportList>;
  /** The programs, as messages call them. */
  programs(): Promise<readonly string[]>;
  /**
   * Imports a path of this machine: an export, also compressed, or an archive or a folder with the files of one.
   * Importing it again adds nothing. Throws EXPORT_UNREADABLE if nothing in it is a known export, and for an archive
   * that is damaged or incomplete, VALIDATION_FAILED for an invalid selection, and the store's errors; items that were
   * imported before stay.
   *
   * @example
   * const report = await core.imports.fromFile('local', '/home/ann/takeout.zip', { name: 'takeout.zip' });
   * console.log(`${report.programs.join(', ')}: ${report.created} imported`);
   */
  fromFile(userId: string, path: string, options: ImportFileOptions): Promise<ImportReport>;
  /** Imports the lines of an export of Recollect, as they arrive. */
  fromRecords(userId: string, items: AsyncIterable<ExportItem>, options?: ImportOptions): Promise<ImportReport>;
  /**
   * Reads a path as an import does, and changes nothing. If nothing in it is a known export, the preview has no
   * programs. Throws like it.
   *
   * @example
   * const { found, first } = await core.imports.preview('/home/ann/takeout.zip', { name: 'takeout.zip' });
   * console.log(`${found} found: ${first.map(({ title }) => title).join(', ')}`);
   */
  preview(path: string, options: ImportFileOptions): Promise<ImportPreview>;
}

/** Recollect itself, as a program whose exports are imported. */
const OWN_PROGRAM = 'Recollect';
/** Files that cannot be read, of which an error gives the reason. */
const MAX_REPORTED_FILES = 5;

const NOTHING: AsyncIterable<ExportPart> = { async *[Symbol.asyncIterator]() {} };

type Opened = { items: AsyncIterable<ExportItem> } | { parts: AsyncIterable<ExportPart> };

/** The name of an import whose lines arrive without a file. */
const UNNAMED = 'An export';

/** Without an `exportReader`, only exports of Recollect can be imported that someone else reads. */
export function createImports(
  ports: Pick<CorePorts, 'exportReader' | 'imports' | 'clock'>,
  { capture, memories, records }: { capture: CaptureUseCase; memories: Memories; records: Pick<Records, 'import'> },
): Imports {
  const previews = createImportPreviews(ports);

  /** Runs an import, and stores it with its id, so that it can be undone even if it is interrupted. */
  const recorded = async (
    userId: string,
    name: string,
    options: ImportOptions,
    work: (options: ImportOptions & { importId: string }) => Promise<ImportReport>,
  ): Promise<ImportReport> => {
    const begun = ports.clock.now();
    const importId = createId(begun);
    const stored = { id: importId, at: begun.toISOString(), name, programs: [], created: null, updated: null };
    await ports.imports.save(userId, { ...stored, undoId: null });
    let latest = emptyReport();
    const onProgress = (report: ImportReport) => {
      latest = report;
      options.onProgress?.(report);
    };
    try {
      latest = await work({ ...options, importId, onProgress });
    } finally {
      const { programs, created, updated } = latest;
      if (created + updated === 0) await ports.imports.remove(userId, importId);
      else await ports.imports.save(userId, { ...stored, programs, created, updated, undoId: null });
    }
    return { ...latest, changeId: latest.created + latest.updated === 0 ? null : importId };
  };

  return {
    ...previews,
    async list(userId) {
      const stored = await ports.imports.list(userId, limits.transfer.listed);
      return {
        imports: stored.map(({ id: changeId, programs, undoId, ...facts }) => {
          return { ...facts, changeId, programs: [...programs], isUndone: undoId !== null };
        }),
      };
    },
    async fromFile(userId, path, options) {
      const opened = await open(ports, path, options);
      return recorded(userId, options.name, options, async (recording) => {
        if ('items' in opened) return records.import(userId, opened.items, recording);
        const { actor = null, signal, isBusy, onProgress, importId } = recording;
        const report = emptyReport();
        const into = { capture, memories, userId, actor, report, importId, signal, isBusy, onProgress };
        await importItems(into, opened.parts);
        if (report.programs.length === 0) throw unrecognised(options.name, report, await previews.programs());
        return report;
      });
    },
    async fromRecords(userId, items, options = {}) {
      checkSelection(options);
      return recorded(userId, UNNAMED, options, (recording) =>
        records.import(userId, selectRecords(items, options), recording),
      );
    },
  };
}

/** Makes the use cases that read exports and need no store. */
export function createImportPreviews(ports: Pick<CorePorts, 'exportReader'>): Pick<Imports, 'programs' | 'preview'> {
  return {
    programs: () => programsOf(ports),
    async preview(path, options) {
      const opened = await open(ports, path, options);
      return 'items' in opened ? previewRecords(opened.items) : previewParts(options.name, opened.parts);
    },
  };
}

async function programsOf({ exportReader }: Pick<CorePorts, 'exportReader'>): Promise<readonly string[]> {
  return [OWN_PROGRAM, ...((await exportReader?.programs()) ?? [])];
}

/** Opens the selected content of a path: records of Recollect, or parts of other exports. */
async function open(ports: Pick<CorePorts, 'exportReader'>, path: string, options: ImportFileOptions): Promise<Opened> {
  const { exportReader } = ports;
  const { name, signal, format } = options;
  checkSelection(options);
  const selectedPrograms = format === undefined ? undefined : programsCalled(format, await programsOf(ports));
  const items =
    selectedPrograms?.includes(OWN_PROGRAM) === false ? null : ((await exportReader?.records(path, signal)) ?? null);
  if (items !== null) return { items: selectRecords(items, options) };
  const parts = exportReader?.read(path, { name, signal, programs: selectedPrograms }) ?? NOTHING;
  return { parts: selectParts(parts, options) };
}

/** @param programs that were tried: the file is not an export of any of them */
function unrecognised(name: string, { failed }: ImportReport, programs: readonly string[]): RecollectError {
  const faults = failed
    .slice(0, MAX_REPORTED_FILES)
    .map(({ item, reason }) => (item === name || name.endsWith(`/${item}`) ? reason : `${item}: ${reason}`));
  const why =
    faults.length > 0
      ? faults.join(' ')
      : `There is no export in it that can be imported. These programs and kinds can be: ${programs.join(', ')}.`;
  return new RecollectError('EXPORT_UNREADABLE', `${why} Nothing was imported.`);
}

type First = ImportPreview['first'][number];

/**
 * Counts what an export contains, and names its first items. A damaged archive is reported under `failed`, since what
 * comes before the damage can be imported.
 *
 * @param name the name of the file in reports
 */
async function previewParts(name: string, parts: AsyncIterable<ExportPart>): Promise<ImportPreview> {
  const preview = emptyPreview();
  const report = emptyReport();
  try {
    for await (const part of parts) {
      if (!('capture' in part)) {
        note(report, part);
        continue;
      }
      const { url = null, capturedAt = null, messages } = part.capture;
      const item = { title: itemName(part), url, capturedAt: capturedAt ?? part.changedAt ?? null };
      add(preview, item, { isLink: part.isLink === true, isConversation: messages != null });
    }
  } catch (error) {
    if (!(error instanceof RecollectError) || error.code !== 'EXPORT_UNREADABLE') throw error;
    fail(report, name, 'The archive is damaged or incomplete. What comes before the damage can be imported.');
  }
  const { programs, skipped, skippedCount, failed, failedCount, otherFiles, otherNames } = report;
  return { ...preview, programs, skipped, skippedCount, failed, failedCount, otherFiles, otherNames };
}

/** The same for an export of Recollect. */
async function previewRecords(items: AsyncIterable<ExportItem>): Promise<ImportPreview> {
  const preview = { ...emptyPreview(), programs: ['Recollect'] };
  const report = emptyReport();
  for await (const item of items) {
    if (item.kind === 'failure') fail(report, `line ${item.line}`, item.reason);
    if (item.kind !== 'record') continue;
    const { title, url, capturedAt, turns, isLink = false } = item.record;
    add(preview, { title, url, capturedAt }, { isLink, isConversation: turns !== null });
  }
  const { failed, failedCount } = report;
  return { ...preview, failed, failedCount };
}

function add(
  preview: ImportPreview,
  item: First,
  { isLink, isConversation }: { isLink: boolean; isConversation: boolean },
): void {
  preview.found += 1;
  if (isLink) preview.links += 1;
  else if (isConversation) preview.conversations += 1;
  if (preview.first.length < limits.transfer.previewed) preview.first.push(item);
}

function emptyPreview(): ImportPreview {
  return {
    programs: [],
    found: 0,
    conversations: 0,
    links: 0,
    first: [],
    skipped: [],
    skippedCount: 0,
    failed: [],
    failedCount: 0,
    otherFiles: 0,
    otherNames: [],
  };
}
