import type { Backup, BackupList, RestorePreview, StoreDifference } from '@recollect/contract';
import { count, formatBytes } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { formatNumber } from '@recollect/ui/numbers';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { Dialog } from '../dialogs/dialog.js';
import { useResource } from '../state/use-resource.js';

/** Poll interval in milliseconds while the server starts again. */
const LOOK_EVERY = 1_000;

interface Props {
  backup: Backup;
  onClose: () => void;
}

/** Shows what a restore of a backup would change, and restores it when the user agrees. */
export function RestoreDialog({ backup, onClose }: Props) {
  const parameters = { name: nameOf(backup.path) };
  const { value, problem } = useResource(() => client('previewRestore', { parameters }));
  const [failure, setFailure] = useState('');
  const [isRestoring, setRestoring] = useState(false);
  const restore = async () => {
    setFailure('');
    setRestoring(true);
    try {
      const { restored } = await client('listBackups', {});
      await client('restoreBackup', { parameters });
      await restartAfter(restored);
      // Everything that the page shows is of the former store.
      location.reload();
    } catch (error) {
      setFailure(explain(error));
      setRestoring(false);
    }
  };
  const shown = failure === '' ? problem : failure;
  return (
    <Dialog title={`Restore the backup of ${longDate(backup.at)}?`} onClose={isRestoring ? () => {} : onClose}>
      <div class="form" aria-live="polite">
        {value === null && problem === '' && <p>Checking the backup, and comparing it with the store …</p>}
        {value !== null && <Preview {...value} />}
        {isRestoring && <p>Restoring. Recollect restarts, and this page loads again …</p>}
        <p role="alert" class="form-problem">
          {shown}
        </p>
        <div class="form-actions">
          <Button data-first aria-disabled={isRestoring} onClick={() => isRestoring || onClose()}>
            Cancel
          </Button>
          {value !== null && (
            <Button variant="danger" aria-disabled={isRestoring} onClick={() => void (isRestoring || restore())}>
              Restore this backup
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** The name of a file, on any system. */
export const nameOf = (path: string) => path.split(/[/\\]/).at(-1) ?? path;

/** Waits until the server has started again after a restore. */
async function restartAfter(before: BackupList['restored']): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    // The server is away for a moment, and the session may have ended with it.
    const restored = await client('listBackups', {}).then(
      (list) => list.restored,
      () => before,
    );
    if (restored !== null && restored.at !== before?.at) return;
  }
}

function Preview({ memories, bytes, difference }: RestorePreview) {
  return (
    <>
      <p>
        The backup has {count(memories, 'memory', 'memories')}, {formatBytes(bytes)}, and passed its check.
      </p>
      {difference === null ? (
        <p>The present store cannot be read, so it is not compared with the backup.</p>
      ) : (
        <Difference {...difference} />
      )}
      <p class="soft">
        The present store is kept in a folder beside it. Recollect restarts, and a running import stops. Keys, sessions
        and settings of plugins also come from the backup.
      </p>
    </>
  );
}

function Difference({ store, onlyInBackup, onlyInStore, changed, days, newest }: StoreDifference) {
  const facts: [string, string][] = [
    ['In the store now', formatNumber(store)],
    ['Come back', formatNumber(onlyInBackup)],
    ['Would be gone', formatNumber(onlyInStore)],
    ['Get former contents', formatNumber(changed)],
    ['Newest now', newest.store === null ? 'None' : longDate(newest.store)],
    ['Newest in the backup', newest.backup === null ? 'None' : longDate(newest.backup)],
  ];
  return (
    <>
      <dl class="facts tiles" aria-label="What would change">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {days.length > 0 && (
        <details>
          <summary>By day</summary>
          <table class="numbers">
            <thead>
              <tr>
                <th scope="col">Saved on</th>
                <th scope="col">Come back</th>
                <th scope="col">Would be gone</th>
              </tr>
            </thead>
            <tbody>
              {days.map(({ day, onlyInBackup: back, onlyInStore: gone }) => (
                <tr key={day}>
                  <th scope="row">{longDate(day)}</th>
                  <td>{formatNumber(back)}</td>
                  <td>{formatNumber(gone)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  );
}
