import { limits } from '@recollect/contract/limits';
import { splitQuery } from '@recollect/contract/query-syntax';
import { isStrong } from '@recollect/contract/shown-results';
import { count } from '@recollect/contract/text';
import { Button, Icon } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { openNote } from '../dialogs/note-dialog.js';
import { ListTools } from '../list/list-tools.js';
import { MemoryList } from '../list/memory-list.js';
import { SelectionBar } from '../list/selection-bar.js';
import { followCounts, listedCounts } from '../search/counts.js';
import { CountsPanel } from '../search/counts-panel.js';
import { Understood } from '../search/understood.js';
import { chooseFiles } from '../shell/choose-files.js';
import { usePageTitle } from '../shell/page-title.js';
import { type Item, items, nextCursor } from '../state/library.js';
import {
  followQuery,
  listedQuery,
  listedSort,
  listProblem,
  loadList,
  searchCarefully,
  understood,
} from '../state/load-list.js';
import { setQuery } from '../state/query.js';

/** Everything that was saved, newest first, or what a query finds. */
export function Everything() {
  useEffect(() => {
    const stops = [followQuery(), followCounts()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const listed = items.value;
  const { words, operators } = splitQuery(listedQuery.value ?? '');
  const marked = understood.value.corrected === undefined ? words : `${words} ${understood.value.corrected.to}`;
  const isSearch = words !== '' || operators.length > 0;
  usePageTitle(isSearch ? `${listedQuery.value}` : 'Everything');
  return (
    <div class="everything">
      <main id="main" tabIndex={-1}>
        <h1 class="hidden">{isSearch ? 'Search' : 'Everything'}</h1>
        <div class="list-head">
          <p class="list-summary" aria-live="polite">
            {summaryOf(listed, words)}
          </p>
          {(isSearch || (listed?.length ?? 0) > 0) && <ListTools isRanked={words !== ''} />}
        </div>
        {words !== '' && (listed?.length ?? 0) > 1 && understood.value.careful !== true && (
          <p class="list-understood">
            <button type="button" class="link" onClick={() => void searchCarefully()}>
              Search more carefully
            </button>
          </p>
        )}
        <Understood />
        <SelectionBar />
        {listProblem.value !== null && (
          <div class="problem" role="alert">
            <p>{listProblem.value}</p>
            <Button onClick={() => void loadList()}>Try again</Button>
          </div>
        )}
        {listed !== null && listed.length > 0 && (
          <MemoryList memories={listed} words={marked} isRanked={words !== ''} />
        )}
        {listed?.length === 0 && (isSearch ? <NothingFound /> : <NothingSaved />)}
      </main>
      <CountsPanel />
    </div>
  );
}

function summaryOf(listed: readonly Item[] | null, words: string): string {
  if (listed === null) return '';
  if (words !== '') {
    const strong = listed.filter(({ score = 1 }) => isStrong({ score })).length;
    if (strong === limits.query.results.maximum) return `The ${strong} best results`;
    return strong === 0 ? '' : `${count(strong, 'result', 'results')}, best first`;
  }
  const total = listedCounts.value?.total ?? (nextCursor.value === null ? listed.length : null);
  if (total === null || total === 0) return '';
  const order = listedSort.value === 'newest' ? ', newest first' : '';
  return `${formatNumber(total)} ${total === 1 ? 'memory' : 'memories'}${order}`;
}

function NothingFound() {
  const { route } = useLocation();
  return (
    <div class="empty-state">
      <h2>Nothing that fits.</h2>
      <p>Search finds other words for the same thing, so a short description often works better than one exact word.</p>
      <Button onClick={() => setQuery('', route)}>Show everything</Button>
    </div>
  );
}

/** What to do first. */
function NothingSaved() {
  return (
    <div class="empty-state">
      <h2>Nothing is saved yet.</h2>
      <ul class="first-steps">
        <li>
          <Icon name="plugin" />
          <div>
            <a href="/docs/getting-started/extension">Install the browser extension</a>
            <p>One click saves the page, the selection or the conversation that you are reading.</p>
          </div>
        </li>
        <li>
          <Icon name="note" />
          <div>
            <button type="button" class="link" onClick={() => openNote()}>
              Write a note
            </button>
            <p class="for-keys">Press n on any page.</p>
          </div>
        </li>
        <li>
          <Icon name="upload" />
          <div>
            <button type="button" class="link" onClick={chooseFiles}>
              Save files
            </button>
            <p>Or drop them on this page: text, Markdown and saved web pages.</p>
          </div>
        </li>
        <li>
          <Icon name="chat" />
          <div>
            <a href="/docs/getting-started/mcp">Connect an assistant</a>
            <p>It can then search what you have saved, and save what you ask it to.</p>
          </div>
        </li>
      </ul>
    </div>
  );
}
