import type { ImportPreview } from '@recollect/contract';
import { count, displayed } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { shortDay } from '@recollect/ui/dates';
import { formatNumber } from '@recollect/ui/numbers';
import { Dialog } from './dialog.js';
import { foundInExport, type ImportChoice, type Offer } from './import-offer.js';
import { Reasons } from './reasons.js';

/** The dialog of {@link offerImport}. */
export function ImportDialog({ offer, answer }: { offer: Offer; answer: (choice: ImportChoice) => void }) {
  const { fileName, preview, isText } = offer;
  const { found, links, first, skipped, skippedCount, failed, failedCount, otherFiles, otherNames } = preview;
  const isOwn = preview.programs.includes('Recollect');
  const canImport = found > 0 || isOwn;
  const outside = skippedCount + failedCount;
  return (
    <Dialog title={displayed(titleOf(preview, canImport))} onClose={() => answer(null)} class="import">
      <p class="soft">{displayed(`${fileName} · ${preview.programs.join(', ')}`)}</p>
      {first.length > 0 && (
        <ul aria-label="First items" class="plain-list import-items">
          {first.map(({ title, url, capturedAt }, index) => (
            <li key={index}>
              <bdi>{displayed(title || url || 'Untitled')}</bdi>
              {capturedAt !== null && <span class="soft">{shortDay(capturedAt)}</span>}
            </li>
          ))}
          {found > first.length && <li class="soft">… and {formatNumber(found - first.length)} more</li>}
        </ul>
      )}
      {links > 0 && <p class="soft">Of links, only the title and the address are saved.</p>}
      {outside > 0 && (
        <details>
          <summary>{leftOut(skippedCount, failedCount)}</summary>
          <Reasons title="Skipped" entries={skipped} total={skippedCount} />
          <Reasons title="Failed" entries={failed} total={failedCount} />
        </details>
      )}
      {otherFiles > 0 && (
        <p class="soft">
          {displayed(
            `${count(otherFiles, 'other file is', 'other files are')} left out: ${otherNames.join(', ')}${otherFiles > otherNames.length ? ' …' : ''}`,
          )}
        </p>
      )}
      <p class="soft">Memories that you already have are not imported twice.</p>
      <div class="form-actions">
        <Button onClick={() => answer(null)}>Cancel</Button>
        {isText && <Button onClick={() => answer('save')}>Save as one note</Button>}
        {canImport && (
          <Button variant="primary" data-first onClick={() => answer('import')}>
            Import
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function titleOf(preview: ImportPreview, canImport: boolean): string {
  if (!canImport) return 'Nothing to import';
  const found = foundInExport(preview) || 'memories';
  // Others are kinds of files, such as browser bookmarks.
  const programs = preview.programs.filter((program) => /^\p{Lu}/u.test(program));
  return programs.length === preview.programs.length
    ? `Import ${found} from ${programs.join(', ')}`
    : `Import ${found}`;
}

function leftOut(skipped: number, failed: number): string {
  const parts = [
    skipped === 0 ? '' : `${formatNumber(skipped)} skipped`,
    failed === 0 ? '' : `${formatNumber(failed)} cannot be read`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
