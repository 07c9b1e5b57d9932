import type { SearchTest as Result } from '@recollect/contract';
import { displayed } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { memoryAddress } from '../state/query.js';
import { announceFailure } from '../state/status.js';
import { Setting } from './setting.js';

const MADE_OF = { titles: 'Titles', sentences: 'A few words of a sentence', highlights: 'Highlights' } as const;

/** Asks questions made from the user's own memories, and shows how many of these were found. */
export function SearchTest() {
  const [result, setResult] = useState<Result | null>(null);
  const [isWorking, setWorking] = useState(false);
  const test = async () => {
    setWorking(true);
    try {
      setResult(await client('testSearch', {}));
    } catch (error) {
      announceFailure(explain(error));
    } finally {
      setWorking(false);
    }
  };
  return (
    <div class="search-test" aria-live="polite">
      <div class="settings-card">
        <Setting
          title="Search quality"
          description="Asks questions made from your own memories, and counts how many it finds."
        >
          {/* A disabled button would lose the focus. */}
          <Button onClick={() => void (isWorking || test())}>
            {isWorking ? 'Checking …' : 'Check search quality'}
          </Button>
        </Setting>
      </div>
      {result?.queries === 0 && <p>Nothing to check yet.</p>}
      {result !== null && result.queries > 0 && <Counts {...result} />}
    </div>
  );
}

function Counts({ kinds }: Result) {
  const missed = kinds.flatMap((kind) => kind.missed);
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Searched by</th>
            <th scope="col">Questions</th>
            <th scope="col">First result</th>
            <th scope="col">In the top 10</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ kind, queries, first, inTen }) => (
            <tr key={kind}>
              <th scope="row">{MADE_OF[kind]}</th>
              <td>{formatNumber(queries)}</td>
              <td>{share(first, queries)}</td>
              <td>{share(inTen, queries)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {missed.length > 0 && (
        <>
          <h3 id="missed">Not in the top 10</h3>
          <ul aria-labelledby="missed" class="settings-list">
            {missed.map(({ query, id, title }) => (
              <li key={`${id} ${query}`} dir="auto">
                {displayed(query)}: <a href={memoryAddress(id, '')}>{displayed(title)}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function share(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)}%`;
}
