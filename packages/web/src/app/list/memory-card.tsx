import { Age, Marked } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import { addressOf } from '../api/base-path.js';
import type { Item } from '../state/library.js';
import { memoryAddress } from '../state/query.js';
import { cursor } from '../state/selection.js';
import { MemoryTags } from './memory-tags.js';
import { RowActions } from './row-actions.js';
import { SelectBox } from './selection-bar.js';
import { MemoryIcon, ServedImage } from './served-image.js';

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
  const { id, title, url, tags, capturedAt, readState } = memory;
  const site = url === null ? '' : siteOf(url);
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
      </p>
      <p class="row-excerpt" dir="auto">
        {shownExcerpt(memory)}
      </p>
      <MemoryTags tags={tags} most={MAX_TAGS} />
      <RowActions memory={memory} />
    </li>
  );
}

/** The picture of a memory; or one that is drawn from its title, so that the same memory always looks the same. */
function Cover({ memory: { id, title, pictureHash } }: { memory: Item }) {
  if (pictureHash !== undefined)
    return (
      <span class="cover">
        <ServedImage src={addressOf(`/api/v1/memories/${id}/picture?v=${pictureHash}`)} />
      </span>
    );
  return (
    <span class={`cover tint-${tintOf(title)}`} aria-hidden="true">
      {firstLetter(title)}
    </span>
  );
}

/** Backgrounds of drawn covers in the style sheet. */
const TINTS = 8;

/** Which of the backgrounds a title gets. */
function tintOf(title: string): number {
  let hash = 0;
  for (const letter of title) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % TINTS;
}

/**
 * The first letter, digit or sign of a title, for a cover.
 *
 * @example
 * firstLetter('“Über” uns'); // 'Ü'
 */
export function firstLetter(title: string): string {
  const [letter = ''] = /[\p{L}\p{N}]\p{M}*/u.exec(title) ?? /\S/u.exec(title) ?? [];
  return letter.toUpperCase();
}
