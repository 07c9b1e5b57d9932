import { limits } from '@recollect/contract/limits';
import { splitQuery } from '@recollect/contract/query-syntax';
import { isStrong } from '@recollect/contract/shown-results';
import { count, displayed, tagKey } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { isOffline } from '../api/connection.js';
import { onDemand } from '../api/on-demand.js';
import { addLink, isLink } from '../dialogs/add-link.js';
import { ListTools } from '../list/list-tools.js';
import { MemoryList } from '../list/memory-list.js';
import { SelectionBar } from '../list/selection-bar.js';
import { followCounts, listedCounts } from '../search/counts.js';
import { Understood } from '../search/understood.js';
import { ListsRow } from '../shell/navigation.js';
import { usePageTitle } from '../shell/page-title.js';
import { type Item, items, nextCursor } from '../state/library.js';
import {
  foldedItems,
  followQuery,
  listedQuery,
  listProblem,
  loadList,
  searchCarefully,
  showWeaker,
  understood,
} from '../state/load-list.js';
import { query, setQuery } from '../state/query.js';
import { removeSamples, SAMPLE_TAG } from '../state/samples.js';
import { isSelecting } from '../state/selection.js';

const CountsPanel = onDemand(() => import('../list/counts-panel.js').then((it) => it.CountsPanel));
const EmptyList = onDemand(() => import('./empty-list.js').then((it) => it.EmptyList));

/** Everything that was saved, newest first, or the results of a query. */
export function Everything() {
  useEffect(() => {
    const stops = [followQuery(), followCounts()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  // While the server is off, the list belongs to an earlier query.
  const isUnanswered = isOffline.value && query.value !== (listedQuery.value ?? '');
  const listed = isUnanswered ? null : items.value;
  const { words, operators } = splitQuery(listedQuery.value ?? '');
  const marked = understood.value.corrected === undefined ? words : `${words} ${understood.value.corrected.to}`;
  const isSearch = words !== '' || operators.length > 0;
  usePageTitle(isSearch ? `${listedQuery.value}` : 'Everything');
  return (
    <div class="everything">
      <main id="main" tabIndex={-1}>
        <h1 class="hidden">{isSearch ? 'Search' : 'Everything'}</h1>
        <ListsRow />
        {isSelecting.value ? (
          <SelectionBar />
        ) : (
          <div class="list-head">
            <p class="list-summary" aria-live="polite">
              {summaryOf(listed, words)}
            </p>
            <Understood />
            {words !== '' &&
              (listed?.length ?? 0) + foldedItems.value.length > 1 &&
              understood.value.careful !== true && (
                <button type="button" class="head-chip improve" onClick={() => void searchCarefully()}>
                  Improve these results
                </button>
              )}
            {(isSearch || (listed?.length ?? 0) > 0) && <ListTools isRanked={words !== ''} />}
          </div>
        )}
        {!isSearch && <SamplesBar />}
        {listProblem.value !== null && !isOffline.value && (
          <div class="problem" role="alert">
            <p>{listProblem.value}</p>
            <Button onClick={() => void loadList()}>Try again</Button>
          </div>
        )}
        {isUnanswered && <NeedsServer asked={query.value} />}
        {listed !== null && listed.length > 0 && (
          <MemoryList memories={listed} words={marked} isRanked={words !== ''} />
        )}
        {listed !== null && foldedItems.value.length > 0 && (
          <Button variant="quiet" icon="down" class="show-weaker" onClick={showWeaker}>
            Show {count(foldedItems.value.length, 'weaker match', 'weaker matches')}
          </Button>
        )}
        {isLink(query.value) && <SaveThisPage url={query.value} />}
        {listed?.length === 0 && <EmptyList query={listedQuery.value ?? ''} />}
      </main>
      <CountsPanel />
    </div>
  );
}

function summaryOf(listed: readonly Item[] | null, words: string): string {
  if (listed === null) return '';
  if (words !== '') {
    const strong = listed.filter(({ score = 1 }) => isStrong({ score })).length;
    if (strong === limits.query.results.maximum) return `Top ${strong} results`;
    if (strong === 0) return listed.length === 0 ? '' : 'No close match';
    return count(strong, 'result', 'results');
  }
  if (listed.length === 0) return '';
  const total = listedCounts.value?.total ?? (nextCursor.value === null ? listed.length : null);
  if (total === null || total === 0) return '';
  return `${formatNumber(total)} ${total === 1 ? 'memory' : 'memories'}`;
}

/** Says that a query is not answered while the server is off. */
function NeedsServer({ asked }: { asked: string }) {
  return (
    <div class="empty-state" role="status">
      <h2>{asked === '' ? 'The list needs the server.' : 'Search needs the server.'}</h2>
      <p>
        {asked === '' ? 'Everything is listed' : <>Results for “{displayed(asked)}” are shown</>} as soon as Recollect
        answers again.
      </p>
    </div>
  );
}

/** Offers to save the page whose address was typed into the search. */
function SaveThisPage({ url }: { url: string }) {
  const { route } = useLocation();
  return (
    <div class="samples-bar">
      <p class="soft">This is a link.</p>
      <Button
        icon="download"
        onClick={() => {
          setQuery('', route);
          void addLink(url);
        }}
      >
        Save this page
      </Button>
    </div>
  );
}

/** Says that there are samples among the memories, and removes them. */
function SamplesBar() {
  const samples = listedCounts.value?.tags.find(({ value }) => tagKey(value) === tagKey(SAMPLE_TAG))?.count ?? 0;
  if (samples === 0) return null;
  return (
    <div class="samples-bar">
      <p class="soft">{count(samples, 'memory is a sample', 'memories are samples')}.</p>
      <Button variant="quiet" onClick={() => void removeSamples()}>
        Remove the samples
      </Button>
    </div>
  );
}
