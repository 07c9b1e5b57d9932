import { useSignal } from '@preact/signals';
import type { ImportReport, ItemsReport } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { explain } from '../api/client.js';
import { upload } from '../api/upload.js';
import { loadSavedSearches } from '../state/saved-searches.js';
import { announce, announceFailure } from '../state/status.js';
import { downloadWithSession } from './download-with-session.js';
import { ImportOutcome } from './import-outcome.js';
import { Section } from './section.js';

const EXPORT = '/api/v1/export';
const IMPORT = '/api/v1/import';
/** How many bytes are read to find out whether a file is an export of Recollect. */
const HEAD = 64 * 1024;
/** The beginning of an export's first line. */
const HEADER = /^\uFEFF?\{\s*"recollect"\s*:\s*"export"/;

/** All memories as one file, and back. */
export function Transfer() {
  /** The share of the file that was sent; null while nothing is imported. */
  const share = useSignal<number | null>(null);
  const report = useSignal<ImportReport | ItemsReport | null>(null);
  const importFile = async (file: File) => {
    report.value = null;
    share.value = 0;
    try {
      const onProgress = (sent: number) => {
        share.value = sent;
      };
      const isOwn = HEADER.test(await textOf(file.slice(0, HEAD)));
      const address = isOwn ? IMPORT : `${IMPORT}/file?name=${encodeURIComponent(file.name)}`;
      const type = isOwn ? 'application/x-ndjson' : 'application/octet-stream';
      const content = isOwn && (await isGzip(file)) ? await expandAll(file) : file;
      const done = (await upload(address, content, { type, onProgress })) as ImportReport | ItemsReport;
      report.value = done;
      if ('savedSearches' in done && done.savedSearches > 0) await loadSavedSearches();
      const imported = `${count(done.created, 'memory', 'memories')} imported.`;
      if (done.failedCount === 0) announce(imported);
      else announceFailure(`${imported} ${formatNumber(done.failedCount)} failed: the reasons are below.`);
    } catch (error) {
      announceFailure(explain(error));
    } finally {
      share.value = null;
    }
  };
  return (
    <Section>
      <p>
        An export is one file with all memories, highlights, history, saved searches and trash. Importing it again
        changes no memory that you have. What ChatGPT, Claude, your browser's bookmarks, Pocket, Evernote, Notion and
        other programs have exported can be imported, too: the file that you got from them, also as an archive.
        Importing the same file again adds nothing.
      </p>
      <p class="button-row">
        <a
          class="button plain"
          href={EXPORT}
          download
          onClick={(event) => void downloadWithSession(event, EXPORT, exportName())}
        >
          Download an export
        </a>{' '}
        <Button icon="upload" disabled={share.value !== null} onClick={() => chooseExport(importFile)}>
          Import an export
        </Button>
      </p>
      {share.value !== null && (
        <label class="progress">
          <span>Importing</span>
          <progress max={1} value={share.value === 1 ? undefined : share.value} />
        </label>
      )}
      {report.value !== null && <ImportOutcome report={report.value} />}
    </Section>
  );
}

const isGzip = async (content: Blob) => {
  const [first, second] = new Uint8Array(await content.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
};
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

function chooseExport(work: (file: File) => Promise<void>): void {
  const field = document.createElement('input');
  field.type = 'file';
  field.addEventListener('change', () => {
    const [file] = field.files ?? [];
    if (file !== undefined) void work(file);
  });
  field.click();
}

const exportName = () => `recollect-${new Date().toISOString().slice(0, 10)}.jsonl`;
