import { useSignal } from '@preact/signals';
import type { TrashAnswer } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { Age, Button, SourceIcon } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { siteOf } from '@recollect/ui/site';
import { useEffect } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { onReconnect } from '../api/connection.js';
import { onChanges } from '../api/events.js';
import { ask } from '../dialogs/ask.js';
import { usePageTitle } from '../shell/page-title.js';
import { restoreMemories } from '../state/changes.js';
import { announce, announceFailure, succeeds } from '../state/status.js';

/** What was deleted: restore it, or delete it permanently. */
export default function Trash() {
  usePageTitle('Trash');
  const listed = useSignal<TrashAnswer | null>(null);
  const problem = useSignal('');
  const read = async (cursor?: string) => {
    try {
      const page = await client('listTrash', { query: { cursor } });
      const before = cursor === undefined ? [] : (listed.peek()?.memories ?? []);
      listed.value = { ...page, memories: [...before, ...page.memories] };
      problem.value = '';
    } catch (error) {
      problem.value = explain(error);
    }
  };
  useEffect(() => {
    void read();
    const stops = [onChanges(() => void read()), onReconnect(() => void read())];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const restore = async (id: string) => {
    if (await succeeds(restoreMemories([id]))) await read();
  };
  const empty = async () => {
    const { total = 0 } = listed.value ?? {};
    const answer = await ask({
      title: 'Empty the trash?',
      text: `${count(total, 'memory', 'memories')} will be permanently deleted. This cannot be undone.`,
      action: 'Delete permanently',
      isDangerous: true,
    });
    if (answer === null) return;
    try {
      const { deleted } = await client('emptyTrash', { body: {} });
      announce(`${count(deleted, 'memory', 'memories')} permanently deleted.`);
      await read();
    } catch (error) {
      announceFailure(explain(error));
    }
  };
  const trash = listed.value;
  return (
    <main id="main" tabIndex={-1} class="page">
      <h1>Trash</h1>
      {trash !== null && trash.total > 0 && (
        <div class="page-tools">
          <p class="list-summary">
            {formatNumber(trash.total)} deleted. Each is permanently deleted after 30 days on which Recollect was in
            use.
          </p>
          <Button variant="danger" icon="trash" onClick={() => void empty()}>
            Empty the trash
          </Button>
        </div>
      )}
      {trash?.total === 0 && (
        <div class="empty-state">
          <h2>The trash is empty.</h2>
          <p>What you delete stays here for 30 days and can be restored.</p>
        </div>
      )}
      <ul aria-label="Deleted memories" class="trash-list">
        {trash?.memories.map(({ id, title, url, sourceType, deletedAt, daysLeft }) => (
          <li key={id}>
            <SourceIcon sourceType={sourceType} />
            <div>
              <p class="row-title" dir="auto">
                {title}
              </p>
              <p class="row-facts">
                {url !== null && <bdi>{siteOf(url)}</bdi>}
                <span>
                  Deleted <Age instant={deletedAt} />
                </span>
                <span>{count(daysLeft, 'day', 'days')} left</span>
              </p>
            </div>
            <Button icon="restore" onClick={() => void restore(id)}>
              Restore
            </Button>
          </li>
        ))}
      </ul>
      {trash?.nextCursor != null && <Button onClick={() => void read(trash.nextCursor ?? undefined)}>Show more</Button>}
      {problem.value !== '' && <p role="alert">{problem.value}</p>}
    </main>
  );
}
