import { useSignal } from '@preact/signals';
import type { ImportReport } from '@recollect/contract';
import { Button } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { addressOf } from '../api/base-path.js';
import { client, explain } from '../api/client.js';
import { offerImport } from '../dialogs/import-offer.js';
import { Reasons } from '../dialogs/reasons.js';
import { chooseFiles } from '../shell/choose-files.js';
import { undoChange } from '../state/changes.js';
import { importFile, importOutcome, isNothingNew, previewFile } from '../state/import-file.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { downloadWithSession } from './download-with-session.js';
import { FetchPages } from './fetch-pages.js';
import { ImportList } from './import-list.js';
import { ImportTiles } from './import-tiles.js';
import { Section } from './section.js';
import { Setting } from './setting.js';

const EXPORT = addressOf('/api/v1/export');

/** All memories as one file, and back. */
export function Transfer() {
  /** The share of the file that was sent; null while nothing is imported. */
  const share = useSignal<number | null>(null);
  /** Memories that were saved or changed since the import began. */
  const changed = useSignal(0);
  const report = useSignal<ImportReport | null>(null);
  const imports = useResource(() => client('listImports', {}), {
    changes: 'any',
    key: report.value?.changeId ?? '',
  });
  const startImport = async (file: File) => {
    report.value = null;
    share.value = 0;
    changed.value = 0;
    try {
      const preview = await previewFile(file, (sent) => {
        share.value = sent;
      });
      // What cannot be imported, the import says.
      if (preview.found > 0 && (await offerImport({ fileName: file.name, preview, isText: false })) === null) return;
      share.value = 0;
      const done = await importFile(file, ({ sent, changed: changes }) => {
        share.value = sent;
        changed.value = changes;
      });
      report.value = done;
      const imported = importOutcome(done);
      const { changeId } = done;
      const undo = changeId === null ? undefined : () => undoChange(changeId);
      if (done.failedCount === 0) announce(imported, undo);
      else announceFailure(`${imported} The reasons are below.`, undo);
    } catch (error) {
      announceFailure(explain(error));
    } finally {
      share.value = null;
    }
  };
  return (
    <Section isLoading={imports.value === null && imports.problem === ''}>
      <div class="settings-card">
        <Setting
          title="Export"
          description="Everything in one file. For some memories as Markdown, select them in the list and press Export."
        >
          <a
            class="button plain"
            href={EXPORT}
            download
            onClick={(event) => void downloadWithSession(event, EXPORT, exportName())}
          >
            Download an export
          </a>
        </Setting>
        <Setting title="Import" description="Bring an export from another app. Importing twice adds nothing.">
          <Button icon="upload" disabled={share.value !== null} onClick={() => chooseExport(startImport)}>
            Import a file
          </Button>
        </Setting>
        <Setting
          title="Save files"
          description="Text, Markdown and saved web pages become memories. You can also drop them anywhere."
        >
          <Button icon="upload" onClick={chooseFiles}>
            Save files
          </Button>
        </Setting>
      </div>
      {share.value !== null && (
        <label class="progress">
          <span>{changed.value === 0 ? 'Importing' : `Importing: ${formatNumber(changed.value)} so far`}</span>
          <progress max={1} value={share.value === 1 ? undefined : share.value} />
        </label>
      )}
      {report.value !== null && <ImportOutcome report={report.value} />}
      <ImportTiles isBusy={share.value !== null} onChoose={() => chooseExport(startImport)} />
      <ImportList imports={imports.value?.imports ?? []} reload={imports.reload} />
    </Section>
  );
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

/** The result of an import, with the items that it left out. */
function ImportOutcome({ report }: { report: ImportReport }) {
  const { found, created, updated, duplicates, skipped, skippedCount, failed, failedCount } = report;
  const isOther = report.programs.some((program) => program !== 'Recollect');
  const facts: [string, number][] = [
    ['Read', found],
    ['Imported', created],
    ['Completed', updated],
    ['Already saved', duplicates],
    ['Saved searches added', report.savedSearches],
    ['Other files left out', report.otherFiles],
    ['Skipped', skippedCount],
    ['Failed', failedCount],
  ];
  return (
    <>
      <p>
        {isOther ? `${report.programs.join(', ')}: ` : ''}
        {importOutcome(report)}
      </p>
      {report.links > 0 && <p>Of links, only the title and the address are saved. Their pages can be fetched below.</p>}
      {!isNothingNew(report) && (
        <dl class="facts" aria-label="Import">
          {facts
            .filter(([name, number]) => number > 0 || name === 'Read')
            .map(([name, number]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{formatNumber(number)}</dd>
              </div>
            ))}
        </dl>
      )}
      <Reasons title="Skipped" entries={skipped} total={skippedCount} />
      <Reasons title="Failed" entries={failed} total={failedCount} />
    </>
  );
}

/** All memories as one file and back, and files that become memories. */
export function ImportExport() {
  return (
    <>
      <Transfer />
      <FetchPages />
    </>
  );
}
