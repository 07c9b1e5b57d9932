import { Age, Marked } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import type { Item } from '../state/library.js';
import { memoryAddress } from '../state/query.js';
import { cursor } from '../state/selection.js';
import { type Kind, kindOf } from './kind-of.js';
import { MemoryTags } from './memory-tags.js';
import { RowActions } from './row-actions.js';
import { SelectBox } from './selection-bar.js';
import { MemoryIcon, Picture } from './served-image.js';

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
      <Cover memory={memory} kind={kind} site={site} />
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

/** The picture of a memory, or what its kind is known by: its words, its question, its code, or its site. */
function Cover({ memory, kind, site }: { memory: Item; kind: Kind; site: string }) {
  const { title, pictureHash } = memory;
  if (pictureHash !== undefined)
    return (
      <span class="cover">
        <Picture memory={memory} />
      </span>
    );
  const text = shownExcerpt(memory);
  if (kind === 'page' || text === '')
    return (
      <span class={`cover site tint-${tintOf(site || title)}`} aria-hidden="true">
        {firstLetter(site || title)}
      </span>
    );
  return (
    <p class={`cover ${kind}`} dir="auto">
      <span>{text}</span>
    </p>
  );
}

/** Backgrounds of drawn covers in the style sheet. */
const TINTS = 8;

/** The background of a site, which is the same everywhere. */
function tintOf(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % TINTS;
}

/**
 * The first letter, digit or sign of a name, for a cover.
 *
 * @example
 * firstLetter('“Über” uns'); // 'Ü'
 */
export function firstLetter(name: string): string {
  const [letter = ''] = /[\p{L}\p{N}]\p{M}*/u.exec(name) ?? /\S/u.exec(name) ?? [];
  return letter.toUpperCase();
}
