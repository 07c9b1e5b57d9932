import type { TagList } from '@recollect/contract';
import { formatOperator } from '@recollect/contract/query-syntax';
import { count, displayed } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { askForColour } from '../dialogs/tag-colour.js';
import { searchAddress } from '../state/query.js';
import { colourOf } from '../state/tag-colours.js';

interface Props {
  tag: TagList['tags'][number];
  isChosen: boolean;
  onChoose: () => void;
  onRename: () => void;
  onRemove: () => void;
}

/** A tag with its colour, how often and when it was last used, and its actions. */
export function TagRow({ tag: { tag, memories, newestAt }, isChosen, onChoose, onRename, onRemove }: Props) {
  const name = displayed(tag);
  return (
    <li>
      <input type="checkbox" aria-label={`Select ${name}`} checked={isChosen} onChange={onChoose} />
      <button
        type="button"
        class="tag-dot-button"
        aria-label={`Colour of ${name}`}
        title={`Colour of ${name}`}
        onClick={() => askForColour(tag)}
      >
        <span class={`tag-dot ${colourOf(tag) ?? ''}`} />
      </button>
      <a href={searchAddress(formatOperator({ name: 'tag', value: tag }))}>
        <bdi>{name}</bdi>
      </a>
      <span class="row-tools">
        <Button variant="quiet" icon="edit" aria-label={`Rename ${name}`} onClick={onRename} />
        <Button variant="quiet" icon="trash" aria-label={`Remove ${name}`} onClick={onRemove} />
      </span>
      <span class="soft tag-used">
        <Age instant={newestAt} />
      </span>
      <span class="soft tag-count">{count(memories, 'memory', 'memories')}</span>
    </li>
  );
}
