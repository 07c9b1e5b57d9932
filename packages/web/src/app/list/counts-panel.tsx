import { useSignal } from '@preact/signals';
import type { CountsAnswer } from '@recollect/contract';
import {
  joinQuery,
  type Operator,
  type OperatorName,
  splitQuery,
  withOperator,
} from '@recollect/contract/query-syntax';
import { count, displayed } from '@recollect/contract/text';
import { Button, sourceName } from '@recollect/ui';
import { monthLabel } from '@recollect/ui/dates';
import { formatNumber } from '@recollect/ui/numbers';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Dialog } from '../dialogs/dialog.js';
import { listedCounts } from '../search/counts.js';
import { monthOperators } from '../search/month-operators.js';
import { isFilterOpen } from '../shell/overlays.js';
import { query, setQuery } from '../state/query.js';
import { useMedia } from '../state/use-media.js';

/** Values of a group that are shown before "More". */
const MAX_INITIAL_VALUES = 6;
/** Values from which on a field finds one. */
const MIN_FILTERED_VALUES = 12;

interface Value {
  label: string;
  count: number;
  /** The text that the value adds to the query. */
  operators: readonly Operator[];
}

/**
 * How many memories there are by source, site, tag and month. Each count narrows the list, and more of them can be
 * chosen. Where there is no room beside the list, a sheet has them.
 */
export function CountsPanel() {
  const isWide = useMedia('(width >= 60rem)');
  const counts = listedCounts.value;
  useEffect(() => closeFilter, []);
  if (!isWide) return isFilterOpen.value && counts !== null ? <FilterSheet counts={counts} /> : null;
  if (counts === null || counts.total === 0) return null;
  return (
    <aside class="counts" aria-label="Counts">
      <Groups counts={counts} />
    </aside>
  );
}

function closeFilter(): void {
  isFilterOpen.value = false;
}

function FilterSheet({ counts }: { counts: CountsAnswer }) {
  const { route } = useLocation();
  const { operators, words } = splitQuery(query.value);
  return (
    <Dialog title="Filter" class="sheet filter" onClose={closeFilter}>
      <Groups counts={counts} />
      <div class="form-actions sheet-actions">
        {operators.length > 0 && (
          <Button variant="quiet" onClick={() => setQuery(words, route)}>
            Clear all filters
          </Button>
        )}
        <Button variant="primary" onClick={closeFilter}>
          Show {count(counts.total, 'memory', 'memories')}
        </Button>
      </div>
    </Dialog>
  );
}

function Groups({ counts }: { counts: CountsAnswer }) {
  return (
    <div class="filters">
      <Group title="Source" values={counts.sourceTypes.map((each) => toSource(each))} />
      <Group title="Site" values={counts.sites.map((each) => toValue('site', each))} />
      <Group title="Tag" values={counts.tags.map((each) => toValue('tag', each))} />
      <Group title="Month" values={counts.months.map(toMonth)} />
    </div>
  );
}

function Group({ title, values }: { title: string; values: readonly Value[] }) {
  const { route } = useLocation();
  const isLong = useSignal(false);
  const typed = useSignal('');
  if (values.length === 0) return null;
  const filter = typed.value.trim().toLowerCase();
  const shownValues = isLong.value
    ? values.filter(({ label }) => label.toLowerCase().includes(filter))
    : values.slice(0, MAX_INITIAL_VALUES);
  const { operators, words } = splitQuery(query.value);
  const isSame = (one: Operator) => (other: Operator) =>
    one.name === other.name && one.value === other.value && !other.isExcluded;
  const isActive = (value: Value) => value.operators.every((own) => operators.some(isSame(own)));
  const toggle = (value: Value) => {
    const next = isActive(value)
      ? operators.filter((operator) => !value.operators.some(isSame(operator)))
      : value.operators.reduce(withOperator, [...operators]);
    setQuery(joinQuery(next, words), route);
  };
  return (
    <section>
      <h2>{title}</h2>
      {isLong.value && values.length > MIN_FILTERED_VALUES && (
        <input
          class="field count-filter"
          aria-label={`Filter ${title.toLowerCase()}s`}
          placeholder="Filter"
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
      )}
      <ul>
        {shownValues.map((value) => (
          <li key={value.label}>
            <button type="button" class="count" aria-pressed={isActive(value)} onClick={() => toggle(value)}>
              <bdi>{displayed(value.label)}</bdi>
              <span>{formatNumber(value.count)}</span>
            </button>
          </li>
        ))}
      </ul>
      {values.length > MAX_INITIAL_VALUES && (
        <Button
          variant="quiet"
          aria-expanded={isLong.value}
          onClick={() => {
            isLong.value = !isLong.value;
            typed.value = '';
          }}
        >
          {isLong.value ? 'Fewer' : `${formatNumber(values.length - MAX_INITIAL_VALUES)} more`}
        </Button>
      )}
    </section>
  );
}

type Count = CountsAnswer['sites'][number];

function toValue(name: OperatorName, { value, count }: Count): Value {
  return { label: value, count, operators: [{ name, value }] };
}

function toSource({ value, count }: Count): Value {
  return {
    label: sourceName(value as Parameters<typeof sourceName>[0]),
    count,
    operators: [{ name: 'source', value }],
  };
}

function toMonth({ value, count }: Count): Value {
  return { label: monthLabel(value), count, operators: monthOperators(value) };
}
