import type { BackupState, Status } from '@recollect/contract';
import { count, formatBytes } from '@recollect/contract/text';
import { age, longDate } from '@recollect/ui/dates';
import { formatNumber } from '@recollect/ui/numbers';
import { client } from '../api/client.js';
import { useResource } from '../state/use-resource.js';
import { EmbeddingProgress } from './embedding-progress.js';
import { SearchTest } from './search-test.js';
import { Section } from './section.js';
import { ServerErrors } from './server-errors.js';

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
  const found = damaged === 0 ? 'no damage found' : `${count(damaged, 'is', 'are')} damaged`;
  if (check === null) return 'Not yet';
  return check.finishedAt === null
    ? `Since ${longDate(check.startedAt)}, ${found}`
    : `${inWords(check.finishedAt)}, ${found}`;
}

function inWords(instant: string): string {
  return age(instant, undefined, undefined, 'long');
}
