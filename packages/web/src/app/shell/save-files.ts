import type { ImportPreview } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { formatNumber } from '@recollect/ui/numbers';
import { client, explain } from '../api/client.js';
import { foundInExport, offerImport } from '../dialogs/import-offer.js';
import { deleteMemories, undoChanges } from '../state/changes.js';
import { showFiles, updateFile } from '../state/file-cards.js';
import { importFile, importOutcome, previewFile } from '../state/import-file.js';
import { loadList } from '../state/load-list.js';
import { announce, announceFailure, announceProgress, dismiss } from '../state/status.js';
import { canBeSaved, mayBeExport, toCapture } from './to-capture.js';

/** Bytes of a file from which its sending takes long enough to show how much was sent. */
const MIN_PROGRESS_BYTES = 4_000_000;

/** The results for the files so far. */
interface Results {
  /** The ids of the memories that were saved. */
  saved: string[];
  /** Files that had been saved before. */
  known: number;
  /** The results of imports. */
  imported: string[];
  /** The imports, which an undo takes back. */
  changeIds: string[];
  problems: string[];
}

/**
 * Saves files as memories, one request each, so that a bad one does not keep the others out. For an export of a
 * program, the user chooses whether it is imported.
 */
export async function saveFiles(files: readonly File[]): Promise<void> {
  const results: Results = { saved: [], known: 0, imported: [], changeIds: [], problems: [] };
  const exports: { file: File; preview: ImportPreview; card: number }[] = [];
  const cards = showFiles(files);
  for (const [index, file] of files.entries()) {
    const card = cards[index] ?? 0;
    updateFile(card, { state: 'working' });
    const place = files.length === 1 ? '' : ` (${index + 1} of ${files.length})`;
    announceProgress(`Reading ${file.name}…${place}`);
    try {
      const preview = await findExport(file, place, (sent) => updateFile(card, { sent }));
      if (preview !== null && !isDocument(preview)) {
        exports.push({ file, preview, card });
        updateFile(card, { state: 'waiting' });
        continue;
      }
      const knownBefore = results.known;
      await (preview === null ? saveFile(file, results) : importExport(file, preview, results));
      updateFile(card, { state: results.known > knownBefore ? 'known' : 'saved' });
    } catch (error) {
      updateFile(card, { state: 'failed' });
      results.problems.push(`${file.name}: ${explain(error)}`);
    }
  }
  if (results.saved.length > 0) await loadList();
  for (const { file, preview, card } of exports) {
    dismiss();
    const choice = await offerImport({ fileName: file.name, preview, isText: canBeSaved(file) });
    try {
      updateFile(card, { state: 'working' });
      if (choice === 'import') await importExport(file, preview, results);
      if (choice === 'save') {
        announceProgress(`Saving ${file.name}…`);
        await saveFile(file, results);
        await loadList();
      }
      updateFile(card, { state: choice === null ? 'failed' : 'saved' });
    } catch (error) {
      updateFile(card, { state: 'failed' });
      results.problems.push(`${file.name}: ${explain(error)}`);
    }
  }
  tell(results);
}

/** Returns the preview of an import of a file; null if the file is to be saved. */
async function findExport(file: File, place: string, onSent: (share: number) => void): Promise<ImportPreview | null> {
  if (!mayBeExport(file)) return null;
  const preview = await previewFile(file, (sent) => {
    onSent(sent);
    if (file.size >= MIN_PROGRESS_BYTES && sent < 1)
      announceProgress(`Sending ${file.name}: ${Math.floor(sent * 100)} %${place}`);
    else announceProgress(`Reading ${file.name}…${place}`);
  });
  const [failure] = preview.failed;
  const isEmpty = preview.found === 0 && failure !== undefined;
  if (preview.programs.length > 0 && !isEmpty) return preview;
  if (failure !== undefined && !canBeSaved(file)) throw new Error(failure.reason);
  return null;
}

/** Whether a file is a book or another document, which is saved without a question, as a PDF is. */
function isDocument({ programs, found }: ImportPreview): boolean {
  return found === 1 && programs.length === 1 && programs[0]?.startsWith('documents') === true;
}

async function saveFile(file: File, results: Results): Promise<void> {
  const { captures } = await client('capture', { body: await toCapture(file) });
  for (const { id, status } of captures) {
    if (status === 'created') results.saved.push(id);
    else results.known += 1;
  }
}

async function importExport(file: File, preview: ImportPreview, results: Results): Promise<void> {
  announceProgress(`Importing ${foundInExport(preview) || file.name}…`);
  const report = await importFile(file, ({ sent, changed }) => {
    if (changed > 0) announceProgress(`Importing ${soFar(changed, preview.found)}…`);
    else if (file.size >= MIN_PROGRESS_BYTES && sent < 1)
      announceProgress(`Sending ${file.name}: ${Math.floor(sent * 100)} %`);
  });
  const [failure] = report.failed;
  if (report.changeId !== null) results.changeIds.push(report.changeId);
  const outcome = importOutcome(report);
  if (failure === undefined) results.imported.push(outcome);
  else results.problems.push(`${outcome} ${failure.item}: ${failure.reason}`);
}

/** @example soFar(350, 10_000) // '350 of 10,000' */
function soFar(changed: number, found: number): string {
  // Others may change memories during an import.
  return found === 0 ? formatNumber(changed) : `${formatNumber(Math.min(changed, found))} of ${formatNumber(found)}`;
}

function tell({ saved, known, imported, changeIds, problems }: Results): void {
  const outcome = [
    saved.length === 0 ? '' : `${count(saved.length, 'file', 'files')} saved.`,
    known === 0 ? '' : `${count(known, 'file was', 'files were')} saved before.`,
    ...imported,
    ...problems,
  ].filter((part) => part !== '');
  const undo = async () => {
    if (saved.length > 0) await deleteMemories(saved);
    if (changeIds.length > 0) await undoChanges(changeIds, null);
  };
  const announceOutcome = problems.length > 0 ? announceFailure : announce;
  if (outcome.length === 0) dismiss();
  else announceOutcome(outcome.join(' '), saved.length + changeIds.length === 0 ? undefined : undo);
}
