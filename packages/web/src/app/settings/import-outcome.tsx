import type { ImportReport } from '@recollect/contract';
import { formatNumber } from '@recollect/ui/numbers';
import { Reasons } from '../dialogs/reasons.js';

/** The result of an import, with the items that it left out. */
export function ImportOutcome({ report }: { report: ImportReport }) {
  const { found, created, updated, duplicates, skipped, skippedCount, failed, failedCount } = report;
  const isOther = report.programs.some((program) => program !== 'Recollect');
  const facts: [string, number][] = [
    ['Read', found],
    ['Imported', created],
    ['Completed', updated],
    ['Already here', duplicates],
    ['Saved searches added', report.savedSearches],
    ['Other files left out', report.otherFiles],
    ['Skipped', skippedCount],
    ['Failed', failedCount],
  ];
  return (
    <>
      {isOther && <p>This was an export of {report.programs.join(', ')}.</p>}
      {report.links > 0 && (
        <p>
          Of links, only the title and the address are saved. <code>recollect fetch</code> gets the text of their pages.
        </p>
      )}
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
      <Reasons title="Skipped" entries={skipped} total={skippedCount} />
      <Reasons title="Failed" entries={failed} total={failedCount} />
    </>
  );
}
