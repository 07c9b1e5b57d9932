import { splitQuery } from '@recollect/contract/query-syntax';
import { count, displayed } from '@recollect/contract/text';
import { places } from '@recollect/contract/vocabulary';
import { Button } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { moveCurrent } from '../dialogs/move-current.js';
import { askToAddTags, askToRemoveTags, deleteSelected, selected } from '../dialogs/selected-memories.js';
import { listedCounts } from '../search/counts.js';
import { markMemories, starMemories } from '../state/changes.js';
import { exportMemories } from '../state/export-memories.js';
import { items, nextCursor } from '../state/library.js';
import { listedQuery } from '../state/load-list.js';
import { placeLabels } from '../state/places.js';
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

/**
 * The actions for the selected memories.
 * It takes the place of the head of the list, so that no row moves under the pointer.
 */
export function SelectionBar() {
  const ids = [...selection.value];
  const isWhole = isWholeList.value;
  const total = listedCounts.value?.total ?? 0;
  return (
    <div class="selection-bar" role="toolbar" aria-label="Selected memories">
      <div class="selection-count">
        <p aria-live="polite">{count(isWhole ? total : ids.length, 'memory', 'memories')} selected</p>
        {!isAllSelected() && (
          <Button variant="quiet" onClick={selectAll}>
            Select all
          </Button>
        )}
        {!isWhole && isMoreListed() && total > ids.length && (
          <Button variant="quiet" onClick={selectWholeList}>
            Select all {formatNumber(total)} memories
          </Button>
        )}
      </div>
      <Button icon="tag" aria-label="Add tag" title="Add tag" onClick={() => askToAddTags(selected())}>
        <span class="tool-name">Add tag</span>
      </Button>
      <Button onClick={() => askToRemoveTags(selected())}>Remove tag</Button>
      {places.map((place) => (
        <Button
          key={place}
          icon={placeLabels[place].icon}
          aria-label={`Move to ${placeLabels[place].name}`}
          onClick={() => void moveCurrent(place)}
        />
      ))}
      <Button icon="star" aria-label="Star" onClick={() => void succeeds(starMemories(selected(), true))} />
      <Button icon="check" aria-label="Mark as read" onClick={() => void succeeds(markMemories(selected(), 'read'))} />
      {!isWhole && <Button icon="download" aria-label="Export" onClick={() => void exportMemories(ids)} />}
      <Button icon="trash" variant="danger" aria-label="Delete" title="Delete" onClick={() => void deleteSelected()}>
        <span class="tool-name">Delete</span>
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

/** Whether all loaded memories are selected and more match. A search with words only has its first results. */
function isMoreListed(): boolean {
  const { words } = splitQuery(listedQuery.value ?? '');
  return words === '' && nextCursor.value !== null && isAllSelected();
}

/** Whether all memories that were loaded are selected. */
function isAllSelected(): boolean {
  return items.value?.every(({ id }) => selection.value.has(id)) === true;
}

interface Props {
  title: string;
  isSelected: boolean;
  /** With `extend`, all up to the row that was chosen last. */
  onSelect: (extend: boolean) => void;
}

/** The box that selects a memory of a list. */
export function SelectBox({ title, isSelected, onSelect }: Props) {
  return (
    <input
      type="checkbox"
      checked={isSelected}
      aria-label={`Select ${displayed(title)}`}
      onClick={(event) => onSelect(event.shiftKey)}
    />
  );
}
