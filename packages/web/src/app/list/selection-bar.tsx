import { splitQuery } from '@recollect/contract/query-syntax';
import { count, readTags } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { client } from '../api/client.js';
import { ask } from '../dialogs/ask.js';
import { listedCounts } from '../search/counts.js';
import { addTags, deleteMemories, removeTags, type Target, toEnd } from '../state/changes.js';
import { exportMemories } from '../state/export-memories.js';
import { items, nextCursor } from '../state/library.js';
import { listedQuery } from '../state/load-list.js';
import {
  clearSelection,
  cursorIndex,
  isWholeList,
  keepPlace,
  selectAll,
  selection,
  selectWholeList,
} from '../state/selection.js';
import { succeeds } from '../state/status.js';
import { wholeList } from '../state/whole-list.js';

/** What can be done with the selected memories. */
export function SelectionBar() {
  const ids = [...selection.value];
  if (ids.length === 0) return null;
  const isWhole = isWholeList.value;
  const total = listedCounts.value?.total ?? 0;
  return (
    <div class="selection-bar" role="toolbar" aria-label="Selected memories">
      <p aria-live="polite">{count(isWhole ? total : ids.length, 'memory', 'memories')} selected</p>
      <Button icon="tag" onClick={() => void askForTags('Add tag', selected(), addTags)}>
        Add tag
      </Button>
      <Button onClick={() => void askForTags('Remove tag', selected(), removeTags)}>Remove tag</Button>
      {!isWhole && (
        <Button icon="download" onClick={() => void exportMemories(ids)}>
          Export
        </Button>
      )}
      <Button icon="trash" variant="danger" onClick={() => void deleteSelected()}>
        Delete
      </Button>
      <Button variant="quiet" onClick={selectAll}>
        Select all
      </Button>
      {!isWhole && isMoreListed() && total > ids.length && (
        <Button onClick={selectWholeList}>Select all {formatNumber(total)} memories</Button>
      )}
      <Button
        variant="quiet"
        icon="close"
        aria-label="Clear the selection"
        onClick={() => {
          clearSelection();
          keepPlace(cursorIndex());
        }}
      />
    </div>
  );
}

/** Whether all loaded memories are selected and more match. A search with words only has its first results. */
function isMoreListed(): boolean {
  const { words } = splitQuery(listedQuery.value ?? '');
  const isAllLoaded = items.value?.every(({ id }) => selection.value.has(id)) === true;
  return words === '' && nextCursor.value !== null && isAllLoaded;
}

/** The selected memories, as changes take them. */
export function selected(): Target {
  return isWholeList.peek() ? wholeList() : [...selection.peek()];
}

/** Moves the selected memories to the trash. */
export async function deleteSelected(): Promise<void> {
  if (isWholeList.peek()) {
    await succeeds(deleteWholeList());
    return;
  }
  const before = selection.value;
  clearSelection();
  const listed = items.peek() ?? [];
  // What is deleted before the cursor moves it up.
  const place = listed.slice(0, Math.max(0, cursorIndex())).filter(({ id }) => !before.has(id)).length;
  const isInList = cursorIndex() >= 0;
  const deleting = succeeds(deleteMemories([...before]));
  keepPlace(isInList ? place : -1);
  if (!(await deleting)) selection.value = before;
}

/** More is deleted than the user sees, so the number is shown first. */
async function deleteWholeList(): Promise<void> {
  const filter = wholeList();
  const { matched } = await toEnd(client('changeMemories', { body: { ...filter, delete: true, dryRun: true } }));
  await ask({
    title: `Delete ${count(matched, 'memory', 'memories')}?`,
    text: 'They go to the trash. This includes memories that have not loaded yet.',
    action: 'Move to the trash',
    isDangerous: true,
    submit: async () => {
      await deleteMemories(filter);
      clearSelection();
    },
  });
}

/** Asks for tags, and changes memories by them. */
export async function askForTags(
  title: string,
  target: Target,
  change: (target: Target, tags: readonly string[]) => Promise<void>,
): Promise<void> {
  await ask({
    title,
    label: 'Tags, separated by commas',
    action: title,
    completes: 'tags',
    submit: async (typed) => {
      const tags = readTags(typed);
      if (tags.length > 0) await change(target, tags);
    },
  });
}
