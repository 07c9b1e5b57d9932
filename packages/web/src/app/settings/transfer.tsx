import { useSignal } from '@preact/signals';
import type { ImportReport } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { explain } from '../api/client.js';
import { upload } from '../api/upload.js';
import { loadSavedSearches } from '../state/saved-searches.js';
import { announce, announceFailure } from '../state/status.js';
import { downloadWithSession } from './download-with-session.js';
import { ImportOutcome } from './import-outcome.js';
import { Section } from './section.js';

const EXPORT = '/api/v1/export';
const IMPORT = '/api/v1/import';

/** All memories as one file, and back. */
export function Transfer() {
  /** The share of the file that was sent; null while nothing is imported. */
  const share = useSignal<number | null>(null);
  const report = useSignal<ImportReport | null>(null);
  const importFile = async (file: File) => {
    report.value = null;
    share.value = 0;
    try {
      const onProgress = (sent: number) => {
        share.value = sent;
      };
      report.value = (await upload(IMPORT, file, { type: 'application/x-ndjson', onProgress })) as ImportReport;
      if (report.value.savedSearches > 0) await loadSavedSearches();
      announce(`${count(report.value.created, 'memory', 'memories')} imported.`);
    } catch (error) {
      announceFailure(explain(error));
    } finally {
      share.value = null;
    }
  };
  return (
    <Section>
      <p>
        An export is one file with all memories, highlights, history, saved searches and trash, which Recollect can
        import again. Importing changes no memory that you have. To bring what ChatGPT, Claude, your browser's bookmarks
        and other programs have exported, run <code>recollect import FILE</code> in a terminal.
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
          <progress max={1} value={share.value} />
        </label>
      )}
      {report.value !== null && <ImportOutcome report={report.value} />}
    </Section>
  );
}

function chooseExport(work: (file: File) => Promise<void>): void {
  const field = document.createElement('input');
  field.type = 'file';
  field.accept = '.jsonl,.ndjson,application/x-ndjson';
  field.addEventListener('change', () => {
    const [file] = field.files ?? [];
    if (file !== undefined) void work(file);
  });
  field.click();
}

const exportName = () => `recollect-${new Date().toISOString().slice(0, 10)}.jsonl`;
