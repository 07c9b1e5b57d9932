import { limits } from '@recollect/contract/limits';
import { splitQuery } from '@recollect/contract/query-syntax';
import { isStrong } from '@recollect/contract/shown-results';
import { count, displayed } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { isOffline } from '../api/connection.js';
import { ListTools } from '../list/list-tools.js';
import { MemoryList } from '../list/memory-list.js';
import { SelectionBar } from '../list/selection-bar.js';
import { followCounts, listedCounts } from '../search/counts.js';
import { CountsPanel } from '../search/counts-panel.js';
import { Understood } from '../search/understood.js';
import { ListsRow } from '../shell/navigation.js';
import { usePageTitle } from '../shell/page-title.js';
import { type Item, items, nextCursor } from '../state/library.js';
import { followQuery, listedQuery, listProblem, loadList, searchCarefully, understood } from '../state/load-list.js';
import { query, setQuery } from '../state/query.js';
import { isSelecting } from '../state/selection.js';
import { SamplesBar } from './samples-bar.js';
import { Welcome } from './welcome.js';

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
            {(isSearch || (listed?.length ?? 0) > 0) && <ListTools isRanked={words !== ''} />}
          </div>
        )}
        {words !== '' && (listed?.length ?? 0) > 1 && understood.value.careful !== true && (
          <p class="list-understood">
            <button type="button" class="link" onClick={() => void searchCarefully()}>
              Search more carefully
            </button>
          </p>
        )}
        <Understood />
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
        {listed?.length === 0 && (isSearch ? <NothingFound hasWords={words !== ''} /> : <Welcome />)}
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
    return `${count(strong, 'result', 'results')}, best first`;
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

function NothingFound({ hasWords }: { hasWords: boolean }) {
  const { route } = useLocation();
  return (
    <div class="empty-state">
      <h2>Nothing that fits.</h2>
      <p>
        {hasWords
          ? 'Search finds other words for the same thing, so a short description often works better than one exact word.'
          : 'No memory meets all of these conditions.'}
      </p>
      <Button onClick={() => setQuery('', route)}>Show everything</Button>
    </div>
  );
}
