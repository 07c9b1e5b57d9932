import { Age, Marked } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import type { Item } from '../state/library.js';
import { memoryAddress } from '../state/query.js';
import { readingTime } from '../state/reading-time.js';
import { cursor } from '../state/selection.js';
import { Cover } from './cover.js';
import { kindOf } from './kind-of.js';
import { MemoryTags } from './memory-tags.js';
import { RowActions } from './row-actions.js';
import { SelectBox } from './selection-bar.js';
import { MemoryIcon } from './served-image.js';

import { shownExcerpt } from './shown-excerpt.js';
import { useLongPress } from './use-long-press.js';

/** Tags that a card has room for. */
const MAX_TAGS = 3;

interface Props {
  memory: Item;
  index: number;
  /** The length of the whole list; -1 if it is not known yet. */
  count: number;
  isSelected: boolean;
  onSelect: (extend: boolean) => void;
}

/** One memory in a list of cards. */
export function MemoryCard({ memory, index, count, isSelected, onSelect }: Props) {
  const { id, title, url, tags, capturedAt, readState, minutes } = memory;
  const site = url === null ? '' : siteOf(url);
  const kind = kindOf(memory);
  const hasTextCover = memory.pictureHash === undefined && kind !== 'page';
  return (
    <li
      data-index={index}
      class={['memory-card', readState, isSelected && 'selected'].filter(Boolean).join(' ')}
      aria-posinset={index + 1}
      aria-setsize={count}
      {...useLongPress(() => onSelect(false))}
    >
      <Cover memory={memory} />
      <span class="row-mark">
        <MemoryIcon memory={memory} />
        <SelectBox title={title} isSelected={isSelected} onSelect={onSelect} />
      </span>
      <a
        class="row-title"
        href={memoryAddress(id, '')}
        dir="auto"
        onFocus={() => {
          cursor.value = id;
        }}
      >
        <Marked text={title} query="" />
      </a>
      <p class="row-facts dotted">
        {site !== '' && <bdi>{site}</bdi>}
        <Age instant={capturedAt} />
        {minutes > 0 && <span>{readingTime(minutes)}</span>}
      </p>
      {!hasTextCover && (
        <p class="row-excerpt" dir="auto">
          {shownExcerpt(memory)}
        </p>
      )}
      <MemoryTags tags={tags} most={MAX_TAGS} />
      <RowActions memory={memory} />
    </li>
  );
}
