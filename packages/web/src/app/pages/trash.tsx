import { count, displayed } from '@recollect/contract/text';
import { Age, Button, SourceIcon } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { siteOf } from '@recollect/ui/site';
import { client, explain } from '../api/client.js';
import { ask } from '../dialogs/ask.js';
import { usePageTitle } from '../shell/page-title.js';
import { restoreMemories } from '../state/changes.js';
import { announce, announceFailure, succeeds } from '../state/status.js';
import { usePages } from '../state/use-pages.js';

/** What was deleted: restore it, or delete it permanently. */
export default function Trash() {
  usePageTitle('Trash');
  const { pages, problem, hasMore, readMore, reload } = usePages((cursor) =>
    client('listTrash', { query: { cursor } }),
  );
  const total = pages.at(-1)?.total ?? null;
  const restore = async (id: string) => {
    if (await succeeds(restoreMemories([id]))) await reload();
  };
  const empty = async () => {
    const newest = pages[0]?.memories[0];
    const answer = await ask({
      title: 'Empty the trash?',
      text: `${count(total ?? 0, 'memory', 'memories')} will be permanently deleted. This cannot be undone.`,
      action: 'Delete permanently',
      isDangerous: true,
    });
    if (answer === null) return;
    try {
      // What arrived in the trash since the question stays. Its own times are used, because clocks differ.
      const deletedBefore = newest && new Date(Date.parse(newest.deletedAt) + 1).toISOString();
      const { deleted } = await client('emptyTrash', { body: { deletedBefore } });
      announce(`${count(deleted, 'memory', 'memories')} permanently deleted.`);
      await reload();
    } catch (error) {
      announceFailure(explain(error));
    }
  };
  return (
    <main id="main" tabIndex={-1} class="page">
      <h1>Trash</h1>
      {total !== null && total > 0 && (
        <div class="page-tools">
          <p class="list-summary">
            {formatNumber(total)} deleted. Each is permanently deleted after 30 days on which Recollect was in use.
          </p>
          <Button variant="danger" icon="trash" onClick={() => void empty()}>
            Empty the trash
          </Button>
        </div>
      )}
      {total === 0 && (
        <div class="empty-state">
          <h2>The trash is empty.</h2>
          <p>What you delete stays here for 30 days and can be restored.</p>
        </div>
      )}
      <ul aria-label="Deleted memories" class="trash-list">
        {pages
          .flatMap(({ memories }) => memories)
          .map(({ id, title, url, sourceType, deletedAt, daysLeft }) => (
            <li key={id}>
              <SourceIcon sourceType={sourceType} />
              <div>
                <p class="row-title" dir="auto">
                  {displayed(title)}
                </p>
                <p class="row-facts">
                  {url !== null && <bdi>{siteOf(url)}</bdi>}
                  <span>
                    Deleted <Age instant={deletedAt} style="long" />
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
      {hasMore && <Button onClick={() => void readMore()}>Show more</Button>}
      {problem !== '' && <p role="alert">{problem}</p>}
    </main>
  );
}
