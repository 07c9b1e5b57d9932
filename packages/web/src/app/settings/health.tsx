import type { BackupState, ReindexState, SearchTest as Result, Status } from '@recollect/contract';
import { count, describeTime, displayed, formatBytes } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { age, longDate } from '@recollect/ui/dates';
import { formatNumber } from '@recollect/ui/numbers';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { memoryAddress } from '../state/query.js';
import { announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';

import { Section } from './section.js';

/** Poll interval in milliseconds while embeddings are being made. */
const LOOK_EVERY = 2_000;

/** Follows the free space of a disk that is too small for the reserve of deletions. */
const NO_RESERVE = ', with no room for the space that is kept for deletions';

/** Whether everything works: the store, the index, the model and the disk. */
export function Health() {
  const { value, problem } = useResource(() => client('status', {}), {
    changes: 'any',
    poll: ({ embeddings }) => (embeddings.needsReindex ? LOOK_EVERY : null),
  });
  return (
    <Section problem={problem}>
      {value !== null && (
        <dl class="facts">
          {factsOf(value).map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {value !== null && <EmbeddingProgress {...value.embeddings} />}
      {value !== null && value.store.problem !== null && <p class="warning">{value.store.problem.message}</p>}
      {value?.plugins.failures.map(({ slug, reason }) => (
        <p key={slug} class="warning">
          The plugin {slug} failed: {reason}
        </p>
      ))}
      {value !== null && <ServerErrors errors={value.errors} />}
      <SearchTest />
    </Section>
  );
}

function factsOf({
  version,
  store,
  memories,
  chunks,
  highlights,
  trash,
  model,
  embeddings,
  backups,
  check,
  damaged,
}: Status): [string, string][] {
  const { withEmbeddings, total, latestJob } = embeddings;
  const index = withEmbeddings === total ? 'Complete' : `${formatNumber(withEmbeddings)} of ${formatNumber(total)}`;
  const failure = latestJob?.status === 'failed' ? `, last attempt failed: ${latestJob.error}` : '';
  return [
    ['Version', version],
    ['Memories', `${formatNumber(memories)} in ${formatNumber(chunks)} chunks`],
    ['Highlights', formatNumber(highlights)],
    ['In the trash', formatNumber(trash)],
    ['Model', model ?? 'None: search uses full text only'],
    ['Search by meaning', model === null ? 'Off' : `${index}${failure}`],
    ['Store', store.location === null ? 'In memory' : `${store.location}, ${formatBytes(store.bytes)}`],
    ['Memories checked', describeCheck(check, damaged.length)],
    ...(backups === null ? [] : [['Backups', describeBackups(backups)] as [string, string]]),
    ...(store.freeBytes === null
      ? []
      : [
          ['Free disk space', `${formatBytes(store.freeBytes)}${store.lacksReserve ? NO_RESERVE : ''}`] as [
            string,
            string,
          ],
        ]),
  ];
}

/** Whether the store is backed up: `Last backup 3 hours ago, checked`. */
function describeBackups({ last, failure, isAutomatic }: BackupState): string {
  if (failure !== null) return `Backups have failed since ${longDate(failure.since)}: ${failure.message}`;
  if (last === null) return isAutomatic ? 'None yet' : 'None: automatic backups are off';
  return `Last backup ${inWords(last.at)}, ${last.isVerified ? 'checked' : 'but its check failed'}`;
}

/** The last check of all memories against their checksums, with its result. */
function describeCheck(check: Status['check'], damaged: number): string {
  const summary = damaged === 0 ? 'no damage found' : `${count(damaged, 'is', 'are')} damaged`;
  if (check === null) return 'Not yet';
  return check.finishedAt === null
    ? `Since ${longDate(check.startedAt)}, ${summary}`
    : `${inWords(check.finishedAt)}, ${summary}`;
}

function inWords(instant: string): string {
  return age(instant, undefined, undefined, 'long');
}

/** The last errors of the server, newest first. They name no memory and hold nothing that a user wrote. */
function ServerErrors({ errors }: { errors: Status['errors'] }) {
  if (errors.length === 0) return null;
  return (
    <details>
      <summary>Last errors of the server</summary>
      <ul aria-label="Last errors of the server" class="settings-list">
        {errors.map(({ operation, code, cause, count: times, lastAt, requestId }) => (
          <li key={`${operation} ${code} ${cause}`}>
            <div>
              <strong>{operation}</strong> {code} <Age instant={lastAt} style="long" />
              <p class="soft">
                {cause}, {count(times, 'time')}
                {requestId !== null && `, last request ${requestId}`}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}

const MADE_OF = { titles: 'Titles', sentences: 'A few words of a sentence', highlights: 'Highlights' } as const;

/** Asks questions made from the user's own memories, and shows how many of these were found. */
function SearchTest() {
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
      {/* A disabled button would lose the focus. */}
      <Button onClick={() => void (isWorking || test())}>{isWorking ? 'Checking …' : 'Check search quality'}</Button>
      {result === null && <p class="soft">Asks questions made from your own memories, and counts those it finds.</p>}
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

/** How far the embeddings of a model are, while some are missing. */
export function EmbeddingProgress({ total, withEmbeddings, needsReindex, secondsLeft }: ReindexState) {
  if (!needsReindex) return null;
  return (
    <label class="progress">
      <span>Making embeddings{secondsLeft === null ? '' : `, about ${describeTime(secondsLeft)} left`}</span>
      <progress max={total} value={withEmbeddings} />
    </label>
  );
}
