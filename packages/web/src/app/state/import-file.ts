import type { ImportPreview, ImportReport, ItemsReport } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { formatNumber } from '@recollect/ui/numbers';
import { onChanges } from '../api/events.js';
import { upload } from '../api/upload.js';
import { loadList } from './load-list.js';
import { loadSavedSearches } from './saved-searches.js';

const IMPORT = '/api/v1/import';
/** Bytes at the beginning and the end of a file in which the first and the last line of an export of Recollect are. */
const EDGE = 64 * 1024;
/** The beginning of an export's first line. */
const HEADER = /^\uFEFF?\{\s*"recollect"\s*:\s*"export"/;
/** The last line of an export. */
const END = /\{"recollect":"end","memories":(\d+)\}\s*$/;

/** Called with the share of a file that was sent, and the memories that were saved or changed since. */
export type OnImportProgress = (progress: { sent: number; changed: number }) => void;

/** Returns what an import of a file would read. No programs if it is not an export of a known program. */
export async function previewFile(file: File, onProgress: (sent: number) => void): Promise<ImportPreview> {
  if (!(await isOwnExport(file))) {
    const address = `${IMPORT}/file/preview?name=${encodeURIComponent(file.name)}`;
    return (await upload(address, file, { type: 'application/octet-stream', onProgress })) as ImportPreview;
  }
  const [, memories] = END.exec(await file.slice(-EDGE).text()) ?? [];
  return { ...EMPTY, programs: ['Recollect'], found: Number(memories ?? 0) };
}

const EMPTY: ImportPreview = {
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

/** Imports an export of Recollect or of another program, and loads what it changed. */
export async function importFile(file: File, onProgress: OnImportProgress): Promise<ImportReport | ItemsReport> {
  const changed = new Set<string>();
  let sent = 0;
  const report = () => onProgress({ sent, changed: changed.size });
  const stop = onChanges((ids) => {
    for (const id of ids ?? []) changed.add(id);
    report();
  });
  try {
    const isOwn = await isOwnExport(file);
    const address = isOwn ? IMPORT : `${IMPORT}/file?name=${encodeURIComponent(file.name)}`;
    const type = isOwn ? 'application/x-ndjson' : 'application/octet-stream';
    const content = isOwn && (await isGzip(file)) ? await expandAll(file) : file;
    const done = (await upload(address, content, {
      type,
      onProgress(share) {
        sent = share;
        report();
      },
    })) as ImportReport | ItemsReport;
    if ('savedSearches' in done && done.savedSearches > 0) await loadSavedSearches();
    return done;
  } finally {
    stop();
    // What was imported before an error stays.
    await loadList();
  }
}

/** Sums up an import in sentences, without the reasons for what failed. */
export function importOutcome(report: ImportReport | ItemsReport): string {
  const { created, updated, duplicates, skippedCount, failedCount } = report;
  const searches = 'savedSearches' in report ? report.savedSearches : 0;
  const isNews = created + updated + searches > 0;
  const rest = isNews ? duplicates : 0;
  const sentences = [
    isNews ? '' : nothingNew(duplicates),
    created === 0 ? '' : `${count(created, 'memory', 'memories')} imported.`,
    updated === 0 ? '' : `${count(updated, 'memory', 'memories')} updated.`,
    searches === 0 ? '' : `${count(searches, 'saved search', 'saved searches')} added.`,
    rest === 0 ? '' : `${formatNumber(rest)} ${rest === 1 ? 'was' : 'were'} already there.`,
    skippedCount === 0 ? '' : `${formatNumber(skippedCount)} skipped.`,
    failedCount === 0 ? '' : `${formatNumber(failedCount)} failed.`,
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function nothingNew(duplicates: number): string {
  if (duplicates === 0) return 'Nothing was imported.';
  return duplicates === 1
    ? 'Nothing new: it was already there.'
    : `Nothing new: all ${formatNumber(duplicates)} were already there.`;
}

async function isOwnExport(file: Blob): Promise<boolean> {
  // Read here first: a request whose body cannot be read looks like a server that does not answer.
  const head = await textOf(file.slice(0, EDGE)).catch(() => {
    throw new Error('The file cannot be read. Folders cannot be imported here.');
  });
  return HEADER.test(head);
}

async function isGzip(content: Blob): Promise<boolean> {
  const [first, second] = new Uint8Array(await content.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}

const expand = (content: Blob) => content.stream().pipeThrough(new DecompressionStream('gzip'));

async function expandAll(file: Blob): Promise<Blob> {
  try {
    return await new Response(expand(file)).blob();
  } catch {
    throw new Error('The file is damaged or incomplete. Nothing was imported.');
  }
}

/** The text at the beginning of a file, expanded if the file is compressed. */
async function textOf(head: Blob): Promise<string> {
  if (!(await isGzip(head))) return head.text();
  const reader = expand(head).getReader();
  // The compressed data end in the middle, which is an error only after what comes before has been read.
  const { value } = await reader.read().catch(() => ({ value: undefined }));
  await reader.cancel().catch(() => {});
  return new TextDecoder().decode(value);
}
