import { signal } from '@preact/signals';
import { count } from '@recollect/contract/text';
import { client } from '../api/client.js';
import { addTags, deleteMemories, removeTags, type Target, toEnd } from '../state/changes.js';
import { items } from '../state/library.js';
import { clearSelection, cursorIndex, isWholeList, keepPlace, selectAgain, selection } from '../state/selection.js';
import { succeeds } from '../state/status.js';
import { wholeList } from '../state/whole-list.js';
import { ask } from './ask.js';

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
  // Deleted rows before the cursor move it up.
  const place = listed.slice(0, Math.max(0, cursorIndex())).filter(({ id }) => !before.has(id)).length;
  const isInList = cursorIndex() >= 0;
  const deleting = succeeds(deleteMemories([...before]));
  keepPlace(isInList ? place : -1);
  if (!(await deleting)) selectAgain(before);
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

/** What the dialog for tags asks. */
interface TagQuestion {
  title: string;
  target: Target;
  change: (target: Target, tags: readonly string[]) => Promise<void>;
  /** Whether it offers only tags that the memories have. */
  removes: boolean;
}

/** The question of the open dialog for tags; null while it is closed. */
export const tagQuestion = signal<TagQuestion | null>(null);

/** Asks for tags to add to memories. */
export function askToAddTags(target: Target): void {
  tagQuestion.value = { title: 'Add tag', target, change: addTags, removes: false };
}

/** Asks for tags to remove from memories. */
export function askToRemoveTags(target: Target): void {
  tagQuestion.value = { title: 'Remove tag', target, change: removeTags, removes: true };
}
