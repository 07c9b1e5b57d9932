import type { Backup, BackupState, Restored } from '@recollect/contract';
import { count, formatBytes } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { useState } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';
import { client, explain } from '../api/client.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { downloadWithSession } from './download-with-session.js';
import { nameOf, RestoreDialog } from './restore-dialog.js';
import { Section } from './section.js';
import { Setting } from './setting.js';

/** Backups in the list before the others are shown. */
const MAX_INITIAL_BACKUPS = 5;

/** The backups of the store with their checks, and a button that makes one. */
export function Backups() {
  const { value, problem, reload } = useResource(() => client('listBackups', {}));
  const [isWorking, setWorking] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const [restoring, setRestoring] = useState<Backup | null>(null);
  if (value !== null && value.state === null)
    return <p class="soft">{value.advice ?? 'This store is in memory, so there is nothing to back up.'}</p>;
  const create = async () => {
    setWorking(true);
    try {
      const { memories } = await client('createBackup', {});
      announce(`Backup saved and checked: ${count(memories ?? 0, 'memory', 'memories')}.`);
      await reload();
    } catch (error) {
      announceFailure(explain(error));
    } finally {
      setWorking(false);
    }
  };
  const backups = value?.backups ?? [];
  return (
    <Section problem={problem}>
      {value !== null && value.state !== null && (
        <>
          <div class="settings-card">
            <Setting title="Automatic backups" description={describeState(value.state)}>
              {/* A disabled button would lose the focus. */}
              <Button onClick={() => void (isWorking || create())}>{isWorking ? 'Backing up …' : 'Back up now'}</Button>
            </Setting>
          </div>
          {value.state.failure !== null && (
            <p class="warning">
              Backups have failed since {longDate(value.state.failure.since)}: {value.state.failure.message}
            </p>
          )}
        </>
      )}
      {value !== null && value.restored !== null && <LastRestore {...value.restored} />}
      <ul aria-label="Backups" class="settings-list">
        {backups.slice(0, showsAll ? undefined : MAX_INITIAL_BACKUPS).map((backup) => (
          <li key={backup.path}>
            <Description backup={backup} onRestore={() => setRestoring(backup)} />
          </li>
        ))}
      </ul>
      {backups.length > MAX_INITIAL_BACKUPS && !showsAll && (
        <Button onClick={() => setShowsAll(true)}>Show all {backups.length} backups</Button>
      )}
      {restoring !== null && <RestoreDialog backup={restoring} onClose={() => setRestoring(null)} />}
    </Section>
  );
}

function describeState({ folder, isAutomatic, last }: BackupState): string {
  const sentences = [
    isAutomatic
      ? 'Made every hour if something has changed, at least once a day, and checked. The last 24 and one of each of 30 days are kept.'
      : 'Automatic backups are off.',
    last === null ? 'There is none yet.' : '',
    `They are in ${folder}.`,
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** The last restore since the server was started. */
function LastRestore({ name, at, replaced, problem }: Restored) {
  if (problem !== null)
    return (
      <p class="warning">
        The restore of {name} failed, and nothing was changed: {problem}
      </p>
    );
  return (
    <p class="good-news">
      {name} was restored <Age instant={at} style="long" />.
      {replaced !== null && ` The former store is in ${replaced}. Delete it when you no longer need it.`}
    </p>
  );
}

function Description({ backup, onRestore }: { backup: Backup; onRestore: () => void }) {
  const { path, at, kind, bytes, memories, isEncrypted, isVerified } = backup;
  return (
    <>
      <div>
        <strong>
          <Age instant={at} style="long" />
        </strong>{' '}
        {KINDS[kind]}
        <p class="soft">
          {memories !== null && `${count(memories, 'memory', 'memories')}, `}
          {formatBytes(bytes)}
          {isEncrypted && ', encrypted'}, {isVerified ? 'checked' : 'check failed: do not rely on it'}
        </p>
      </div>
      <p class="button-row">
        <a
          class="button plain"
          href={backupAddress(path)}
          download={nameOf(path)}
          onClick={(event) => void downloadWithSession(event, backupAddress(path), nameOf(path))}
        >
          Download
        </a>
        <Button icon="restore" aria-label={`Restore the backup of ${longDate(at)}`} onClick={onRestore}>
          Restore…
        </Button>
      </p>
    </>
  );
}

const backupAddress = (path: string) => addressOf(`/api/v1/backups/${encodeURIComponent(nameOf(path))}`);

const KINDS: Readonly<Record<Backup['kind'], string>> = {
  manual: 'on request',
  hourly: 'hourly',
  daily: 'daily',
  migration: 'before an update',
};
