import { count } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { ask } from '../dialogs/ask.js';
import { addTags, deleteMemories, removeTags } from '../state/changes.js';
import { exportMemories } from '../state/export-memories.js';
import { clearSelection, cursorIndex, keepPlace, selectAll, selection } from '../state/selection.js';

/** What can be done with the selected memories. */
export function SelectionBar() {
  const ids = [...selection.value];
  if (ids.length === 0) return null;
  return (
    <div class="selection-bar" role="toolbar" aria-label="Selected memories">
      <p aria-live="polite">{count(ids.length, 'memory', 'memories')} selected</p>
      <Button icon="tag" onClick={() => void askForTags('Add tag', ids, addTags)}>
        Add tag
      </Button>
      <Button onClick={() => void askForTags('Remove tag', ids, removeTags)}>Remove tag</Button>
      <Button icon="download" onClick={() => void exportMemories(ids)}>
        Export
      </Button>
      <Button icon="trash" variant="danger" onClick={() => void deleteSelected()}>
        Delete
      </Button>
      <Button variant="quiet" onClick={selectAll}>
        Select all
      </Button>
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

/** Moves the selected memories to the trash. */
export async function deleteSelected(): Promise<void> {
  const selected = selection.value;
  clearSelection();
  const place = cursorIndex();
  const deleting = deleteMemories([...selected]);
  keepPlace(place);
  if (!(await deleting)) selection.value = selected;
}

/** Asks for tags, and changes memories by them. */
export async function askForTags(
  title: string,
  ids: readonly string[],
  change: (ids: readonly string[], tags: readonly string[]) => Promise<void>,
): Promise<void> {
  await ask({
    title,
    label: 'Tags, separated by commas',
    action: title,
    completes: 'tags',
    submit: async (typed) => {
      const tags = readTags(typed);
      if (tags.length > 0) await change(ids, tags);
    },
  });
}

/** Tags that a person typed, separated by commas. */
export function readTags(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
}
