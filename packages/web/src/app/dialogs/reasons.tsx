import type { ImportReport } from '@recollect/contract';
import { displayed } from '@recollect/contract/text';
import { formatNumber } from '@recollect/ui/numbers';

/** Entries that are shown. */
const MAX_SHOWN_ENTRIES = 20;

interface Props {
  title: string;
  entries: ImportReport['failed'];
  /** How many there are: a report has the reasons of the first ones. */
  total: number;
}

/** Lists the items that an import left out, with the reasons. */
export function Reasons({ title, entries, total }: Props) {
  if (entries.length === 0) return null;
  return (
    <ul aria-label={title} class="plain-list">
      {entries.slice(0, MAX_SHOWN_ENTRIES).map(({ item, reason }, index) => (
        <li key={index}>{displayed(`${item}: ${reason}`)}</li>
      ))}
      {total > MAX_SHOWN_ENTRIES && <li>… and {formatNumber(total - MAX_SHOWN_ENTRIES)} more</li>}
    </ul>
  );
}
