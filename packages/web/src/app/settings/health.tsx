import type { BackupState, ReindexState, Status } from '@recollect/contract';
import { count, describeTime, formatBytes } from '@recollect/contract/text';
import { Age, Icon } from '@recollect/ui';
import { age, longDate } from '@recollect/ui/dates';
import { formatNumber } from '@recollect/ui/numbers';
import { client } from '../api/client.js';
import { useResource } from '../state/use-resource.js';
import { SearchTest } from './search-test.js';
import { Section } from './section.js';

/** Poll interval in milliseconds while embeddings are being made. */
const LOOK_EVERY = 2_000;

/** Whether everything works: the store, the index, the model and the disk. */
export function Health() {
  const { value, problem } = useResource(() => client('status', {}), {
    changes: 'any',
    poll: ({ embeddings }) => (isEmbedding(embeddings) ? LOOK_EVERY : null),
  });
  return (
    <Section problem={problem}>
      {value !== null && (
        <>
          <Verdict problems={problemsOf(value)} />
          <dl class="facts tiles">
            {factsOf(value).map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
          <EmbeddingProgress {...value.embeddings} />
          <ServerErrors errors={value.errors} />
          <SearchTest />
        </>
      )}
    </Section>
  );
}

/** One sentence on the state of the deployment, and a list if several things are wrong. */
function Verdict({ problems }: { problems: readonly string[] }) {
  const [first = 'Everything works.', ...others] = problems;
  return (
    <>
      <p role="status" class={problems.length === 0 ? 'verdict good' : 'verdict bad'}>
        <Icon name={problems.length === 0 ? 'check' : 'warning'} />
        <span>{others.length === 0 ? first : `${formatNumber(problems.length)} problems need your attention.`}</span>
      </p>
      {others.length > 0 && (
        <ul aria-label="Problems" class="settings-list">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Lists the problems of a deployment, the most important first. */
function problemsOf({ store, damaged, backups, embeddings, plugins }: Status): string[] {
  const { latestJob } = embeddings;
  const hasUncheckedBackup = backups?.last?.isVerified === false;
  return [
    ...(store.problem === null ? [] : [store.problem.message]),
    ...(damaged.length === 0 ? [] : [`${count(damaged.length, 'memory is', 'memories are')} damaged.`]),
    ...(backups?.failure ? [`${describeBackups(backups)}`] : []),
    ...(hasUncheckedBackup ? ['The check of the last backup failed.'] : []),
    ...(store.lacksReserve ? ['The disk has no room for the space that is kept for deletions.'] : []),
    ...(latestJob?.status === 'failed' ? [`Making embeddings failed: ${latestJob.error}`] : []),
    ...plugins.failures.map(({ slug, reason }) => `The plugin ${slug} failed: ${reason}`),
  ];
}

function factsOf(status: Status): [string, string][] {
  const { version, store, memories, chunks, highlights, trash, model, embeddings, backups, check, damaged } = status;
  const { withEmbeddings, total } = embeddings;
  const index = withEmbeddings === total ? 'Complete' : `${formatNumber(withEmbeddings)} of ${formatNumber(total)}`;
  return [
    ['Memories', `${formatNumber(memories)} in ${count(chunks, 'passage', 'passages')}`],
    ['Highlights', formatNumber(highlights)],
    ['In the trash', formatNumber(trash)],
    ['Search by meaning', model === null ? 'Off' : index],
    ['Model', model ?? 'None: search uses full text only'],
    ...(backups === null ? [] : [['Backups', describeBackups(backups)] as [string, string]]),
    ['Memories checked', describeCheck(check, damaged.length)],
    ['Store', store.location === null ? 'In memory' : `${store.location}, ${formatBytes(store.bytes)}`],
    ...(store.freeBytes === null ? [] : [['Free disk space', formatBytes(store.freeBytes)] as [string, string]]),
    ['Version', version],
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

/** Whether a model makes embeddings that are missing. Without a model, no time is left. */
export function isEmbedding({ needsReindex, secondsLeft }: ReindexState): boolean {
  return needsReindex && secondsLeft !== null;
}

/** How far the embeddings of a model are, while some are missing. */
export function EmbeddingProgress(state: ReindexState) {
  const { total, withEmbeddings, secondsLeft } = state;
  if (!isEmbedding(state) || secondsLeft === null) return null;
  return (
    <label class="progress">
      <span>Making embeddings, about {describeTime(secondsLeft)} left</span>
      <progress max={total} value={withEmbeddings} />
    </label>
  );
}
