import type { Backup, BackupState } from '@recollect/contract';
import { count, formatBytes } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { useState } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';
import { client, explain } from '../api/client.js';
import { copyText } from '../state/copy-text.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { downloadWithSession } from './download-with-session.js';
import { Section } from './section.js';
import { Setting } from './setting.js';

/** Backups in the list before the others are shown. */
const MAX_INITIAL_BACKUPS = 5;

/** The backups of the store with their checks, and a button that makes one. */
export function Backups() {
  const { value, problem, reload } = useResource(() => client('listBackups', {}));
  const [isWorking, setWorking] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  if (value !== null && value.state === null)
    return <p class="soft">This store is in memory, so there is nothing to back up.</p>;
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
      <ul aria-label="Backups" class="settings-list">
        {backups.slice(0, showsAll ? undefined : MAX_INITIAL_BACKUPS).map((backup) => (
          <li key={backup.path}>
            <Description {...backup} />
          </li>
        ))}
      </ul>
      {backups.length > MAX_INITIAL_BACKUPS && !showsAll && (
        <Button onClick={() => setShowsAll(true)}>Show all {backups.length} backups</Button>
      )}
    </Section>
  );
}

function describeState({ folder, isAutomatic, last }: BackupState): string {
  const sentences = [
    isAutomatic
      ? 'Made every hour if something has changed, at least once a day, and checked. The last 24 and one of each of 30 days are kept.'
      : 'Automatic backups are off.',
    last === null ? 'There is none yet.' : '',
    `They are in ${folder}. To restore one, stop the server and run its command.`,
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function Description({ path, at, kind, bytes, memories, isEncrypted, isVerified }: Backup) {
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
        <Button onClick={() => void copyCommand(path)}>Copy restore command</Button>
      </p>
    </>
  );
}

/** The name of a file, on any system. */
const nameOf = (path: string) => path.split(/[/\\]/).at(-1) ?? path;

const backupAddress = (path: string) => addressOf(`/api/v1/backups/${encodeURIComponent(nameOf(path))}`);

function copyCommand(path: string): Promise<void> {
  return copyText(
    `recollect restore ${JSON.stringify(path)}`,
    'The command is copied. Stop the server before you run it.',
  );
}

const KINDS: Readonly<Record<Backup['kind'], string>> = {
  manual: 'on request',
  hourly: 'hourly',
  daily: 'daily',
  migration: 'before an update',
};
