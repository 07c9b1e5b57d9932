import type { ImportPreview, ImportReport } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { formatNumber } from '@recollect/ui/numbers';
import { addressOf } from '../api/base-path.js';
import { onChanges } from '../api/events.js';
import { upload } from '../api/upload.js';
import { loadList } from './load-list.js';
import { loadSavedSearches } from './saved-searches.js';

const IMPORT = addressOf('/api/v1/import');

/** Called with the share of a file that was sent, and the memories that were saved or changed since. */
export type OnImportProgress = (progress: { sent: number; changed: number }) => void;

/** Returns the preview of an import of a file. No programs if it is not an export of a known program. */
export async function previewFile(file: File, onProgress: (sent: number) => void): Promise<ImportPreview> {
  return (await send(`${IMPORT}/preview`, file, onProgress)) as ImportPreview;
}

/** Imports an export of Recollect or of another program, and reloads changed data. */
export async function importFile(file: File, onProgress: OnImportProgress): Promise<ImportReport> {
  const changed = new Set<string>();
  let sent = 0;
  const report = () => onProgress({ sent, changed: changed.size });
  const stop = onChanges((ids) => {
    for (const id of ids ?? []) changed.add(id);
    report();
  });
  try {
    const done = (await send(IMPORT, file, (share) => {
      sent = share;
      report();
    })) as ImportReport;
    if (done.savedSearches > 0) await loadSavedSearches();
    return done;
  } finally {
    stop();
    // Memories imported before an error stay.
    await loadList();
  }
}

/** Sums up an import in sentences, without the reasons for failures. */
export function importOutcome(report: ImportReport): string {
  const { created, updated, duplicates, skippedCount, failedCount, savedSearches: searches } = report;
  const isNews = created + updated + searches > 0;
  const rest = isNews ? duplicates : 0;
  const sentences = [
    isNews ? '' : nothingNew(duplicates),
    created === 0 ? '' : `${count(created, 'memory', 'memories')} imported.`,
    updated === 0 ? '' : `${count(updated, 'memory', 'memories')} updated.`,
    searches === 0 ? '' : `${count(searches, 'saved search', 'saved searches')} added.`,
    rest === 0 ? '' : `${formatNumber(rest)} ${rest === 1 ? 'was' : 'were'} already here.`,
    skippedCount === 0 ? '' : `${formatNumber(skippedCount)} skipped.`,
    failedCount === 0 ? '' : `${formatNumber(failedCount)} failed.`,
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Whether everything in an import had been saved before. */
export function isNothingNew({ created, updated, duplicates, skippedCount, failedCount, savedSearches }: ImportReport) {
  return duplicates > 0 && created + updated + skippedCount + failedCount + savedSearches === 0;
}

function nothingNew(duplicates: number): string {
  if (duplicates === 0) return 'Nothing was imported.';
  return duplicates === 1
    ? 'Nothing new. It was already here.'
    : `Nothing new. All ${formatNumber(duplicates)} were already here.`;
}

async function send(path: string, file: File, onProgress: (sent: number) => void): Promise<unknown> {
  // Read here first: a request whose body cannot be read looks like a server that does not answer.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new Error('The file cannot be read. Folders cannot be imported here.');
    });
  return upload(`${path}?name=${encodeURIComponent(file.name)}`, file, {
    type: 'application/octet-stream',
    onProgress,
  });
}
