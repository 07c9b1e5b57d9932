import { useSignal } from '@preact/signals';
import type { TrashAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { count, displayed } from '@recollect/contract/text';
import { Age, Button, SourceIcon } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { siteOf } from '@recollect/ui/site';
import { client, explain } from '../api/client.js';
import { ask } from '../dialogs/ask.js';
import { Dialog } from '../dialogs/dialog.js';
import { MarkdownText } from '../dialogs/markdown-text.js';
import { usePageTitle } from '../shell/page-title.js';
import { restoreMemories } from '../state/changes.js';
import { announce, announceFailure, succeeds } from '../state/status.js';
import { usePages } from '../state/use-pages.js';
import { useResource } from '../state/use-resource.js';

type Deleted = TrashAnswer['memories'][number];

/** The deleted memories: view them, restore them, or delete them permanently. */
export default function Trash() {
  usePageTitle('Trash');
  const { pages, problem, hasMore, readMore, reload } = usePages((cursor) =>
    client('listTrash', { query: { cursor } }),
  );
  const opened = useSignal<Deleted | null>(null);
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const listed = pages.flatMap(({ memories }) => memories);
  const selected = listed.map(({ id }) => id).filter((id) => chosen.value.has(id));
  const total = pages.at(-1)?.total ?? null;

  const choose = (id: string) => {
    const next = new Set(chosen.value);
    if (!next.delete(id)) next.add(id);
    chosen.value = next;
  };
  const restore = async (ids: readonly string[]) => {
    opened.value = null;
    if (await succeeds(restoreMemories(ids))) await reload();
  };
  const remove = async (question: string, text: string, body: Parameters<typeof empty>[0]) => {
    opened.value = null;
    const answer = await ask({
      title: question,
      text: `${text} This cannot be undone.`,
      action: 'Delete permanently',
      isDangerous: true,
    });
    if (answer === null) return;
    await empty(body);
    await reload();
  };
  const removeSome = (ids: string[]) =>
    remove(
      `Delete ${count(ids.length, 'memory', 'memories')} permanently?`,
      ids.length === 1
        ? `“${listed.find(({ id }) => id === ids[0])?.title}” will be permanently deleted.`
        : `${count(ids.length, 'memory', 'memories')} will be permanently deleted.`,
      { ids },
    );
  const removeAll = () => {
    const [newest] = listed;
    return remove(
      'Empty the trash?',
      `${count(total ?? 0, 'memory', 'memories')} will be permanently deleted.`,
      // Keep memories that arrived in the trash since the question. Uses the stored times, because clocks differ.
      { deletedBefore: newest && new Date(Date.parse(newest.deletedAt) + 1).toISOString() },
    );
  };
  return (
    <main id="main" tabIndex={-1} class="page">
      <h1>Trash</h1>
      {total !== null && total > 0 && (
        <div class="page-tools">
          <p class="list-summary" aria-live="polite">
            {selected.length > 0
              ? `${count(selected.length, 'memory', 'memories')} selected`
              : `${formatNumber(total)} deleted. Items are deleted for good after 30 days (days when Recollect was off don’t count).`}
          </p>
          {selected.length > 0 ? (
            <>
              <Button icon="restore" onClick={() => void restore(selected)}>
                Restore {formatNumber(selected.length)}
              </Button>
              <Button variant="danger" icon="trash" onClick={() => void removeSome(selected)}>
                Delete {formatNumber(selected.length)} permanently
              </Button>
            </>
          ) : (
            <Button variant="danger" icon="trash" onClick={() => void removeAll()}>
              Empty the trash
            </Button>
          )}
        </div>
      )}
      {total === 0 && (
        <div class="empty-state">
          <h2>The trash is empty.</h2>
          <p>What you delete stays here for 30 days and can be restored.</p>
        </div>
      )}
      <ul aria-label="Deleted memories" class="trash-list">
        {listed.map((memory) => (
          <TrashRow
            key={memory.id}
            memory={memory}
            isChosen={chosen.value.has(memory.id)}
            onChoose={() => choose(memory.id)}
            onOpen={() => {
              opened.value = memory;
            }}
            onRestore={() => void restore([memory.id])}
          />
        ))}
      </ul>
      {hasMore && <Button onClick={() => void readMore()}>Show more</Button>}
      {problem !== '' && <p role="alert">{problem}</p>}
      {opened.value !== null && (
        <TrashedMemory
          memory={opened.value}
          onClose={() => {
            opened.value = null;
          }}
          onRestore={() => void restore([opened.value?.id ?? ''])}
          onDelete={() => void removeSome([opened.value?.id ?? ''])}
        />
      )}
    </main>
  );
}

interface RowProps {
  memory: Deleted;
  isChosen: boolean;
  onChoose: () => void;
  onOpen: () => void;
  onRestore: () => void;
}

function TrashRow({ memory, isChosen, onChoose, onOpen, onRestore }: RowProps) {
  const { title, url, sourceType, deletedAt, daysLeft } = memory;
  return (
    <li>
      <input type="checkbox" aria-label={`Select ${displayed(title)}`} checked={isChosen} onChange={onChoose} />
      <SourceIcon sourceType={sourceType} />
      <div>
        <button type="button" class="row-title" dir="auto" onClick={onOpen}>
          {displayed(title)}
        </button>
        <p class="row-facts dotted">
          {url !== null && <bdi>{siteOf(url)}</bdi>}
          <span>
            Deleted <Age instant={deletedAt} style="long" />
          </span>
          <span>{count(daysLeft, 'day', 'days')} left</span>
        </p>
      </div>
      <Button icon="restore" onClick={onRestore}>
        Restore
      </Button>
    </li>
  );
}

/** Deletes some of the trash permanently. A request takes a limited number of ids. */
async function empty({ ids, deletedBefore }: { ids?: string[]; deletedBefore?: string | undefined }): Promise<void> {
  const { changeIds: most } = limits.memories;
  let deleted = 0;
  try {
    if (ids === undefined) ({ deleted } = await client('emptyTrash', { body: { deletedBefore } }));
    for (let at = 0; at < (ids?.length ?? 0); at += most)
      deleted += (await client('emptyTrash', { body: { ids: ids?.slice(at, at + most) } })).deleted;
    announce(`${count(deleted, 'memory', 'memories')} permanently deleted.`);
  } catch (error) {
    announceFailure(explain(error));
  }
}

interface Props {
  memory: TrashAnswer['memories'][number];
  onClose: () => void;
  onRestore: () => void;
  onDelete: () => void;
}

/** A memory in the trash, with its text. */
function TrashedMemory({ memory: { id, title }, onClose, onRestore, onDelete }: Props) {
  const { value, problem } = useResource(() => client('trashedMemory', { parameters: { id } }));
  return (
    <Dialog title={displayed(title)} onClose={onClose} class="wide">
      {value !== null && <MarkdownText name="Text" text={value.text} />}
      {problem !== '' && <p role="alert">{problem}</p>}
      <div class="form-actions">
        <Button variant="danger" icon="trash" onClick={onDelete}>
          Delete permanently
        </Button>
        <Button variant="primary" icon="restore" onClick={onRestore}>
          Restore
        </Button>
      </div>
    </Dialog>
  );
}
