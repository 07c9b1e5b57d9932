import type { FetchRun } from '@recollect/contract';
import { count, displayed } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { useEffect } from 'preact/hooks';
import { client } from '../api/client.js';
import { changeFetch, fetchesAdded, fetchPages, latestFetch, resumeFetch } from '../state/fetches.js';
import { memoryAddress } from '../state/query.js';
import { succeeds } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { Section } from './section.js';
import { Setting } from './setting.js';

/** Selects links whose pages may still be there. */
const LINKS = 'is:link -tag:dead-link';

/** Getting the pages of links: how many there are, the progress and what became of them. */
export function FetchPages() {
  const links = useResource(() => client('countMemories', { query: { filter: LINKS } }), { changes: 'any' });
  useEffect(() => void succeeds(resumeFetch()), []);
  const total = links.value?.total ?? 0;
  const run = latestFetch.value;
  const isOpen = run?.state === 'running' || run?.state === 'paused';
  return (
    <Section
      heading={{ id: 'links', title: 'Pages of links' }}
      problem={links.problem}
      isLoading={links.value === null}
    >
      <div class="settings-card">
        <Setting
          title="Fetch missing pages"
          description={
            total === 0
              ? 'Every link has its page.'
              : `Of ${count(total, 'memory', 'memories')}, only the link was saved.`
          }
        >
          {!isOpen && total > 0 && (
            <Button icon="download" onClick={() => void succeeds(fetchPages())}>
              Fetch {count(total, 'page', 'pages')}
            </Button>
          )}
        </Setting>
        <label class="setting">
          <span>
            <span class="setting-title">Fetch the page when I add a link</span>
          </span>
          <input
            type="checkbox"
            checked={fetchesAdded.value === 'on'}
            onChange={({ currentTarget }) => {
              fetchesAdded.value = currentTarget.checked ? 'on' : 'off';
            }}
          />
        </label>
      </div>
      {run !== null && <Progress run={run} />}
    </Section>
  );
}

function Progress({ run }: { run: FetchRun }) {
  const { state, total, fetched, gone, failed, left, outcomes, problem } = run;
  const ended = fetched + gone + failed + left;
  const isPaused = state === 'paused';
  const isOpen = isPaused || state === 'running';
  const facts = [
    `${formatNumber(fetched)} of ${count(total, 'page', 'pages')} fetched`,
    gone === 0 ? '' : `${formatNumber(gone)} gone`,
    failed === 0 ? '' : `${formatNumber(failed)} failed`,
    left === 0 ? '' : `${formatNumber(left)} left for later`,
  ].filter((fact) => fact !== '');
  const misses = outcomes.filter(({ outcome }) => outcome !== 'fetched');
  return (
    <>
      {isOpen && (
        <label class="progress">
          <span>
            {isPaused ? 'Paused' : `Fetching ${formatNumber(Math.min(ended + 1, total))} of ${formatNumber(total)}`}
          </span>
          <progress max={Math.max(total, 1)} value={ended} />
        </label>
      )}
      <p aria-live="polite">
        {facts.join(', ')}. {problem?.detail}
      </p>
      {isOpen && (
        <p class="button-row">
          <Button onClick={() => void succeeds(changeFetch(isPaused ? 'running' : 'paused'))}>
            {isPaused ? 'Continue' : 'Pause'}
          </Button>
          <Button onClick={() => void succeeds(changeFetch('stopped'))}>Stop</Button>
        </p>
      )}
      {misses.length > 0 && (
        <details>
          <summary>Pages that were not fetched</summary>
          <ul aria-label="Pages that were not fetched" class="settings-list">
            {misses.map(({ id, title, reason }) => (
              <li key={id}>
                <div>
                  <a href={memoryAddress(id, '')}>{displayed(title)}</a>
                  <p class="soft">{reason}</p>
                </div>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
