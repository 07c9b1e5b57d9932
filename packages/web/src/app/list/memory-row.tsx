import { displayed } from '@recollect/contract/text';
import { Age, Marked } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import { Fragment } from 'preact';
import type { Item } from '../state/library.js';
import { memoryAddress } from '../state/query.js';
import { readingTime } from '../state/reading-time.js';
import { cursor, toggleSelected } from '../state/selection.js';
import { MemoryTags } from './memory-tags.js';
import { RowActions } from './row-actions.js';
import { SelectBox } from './selection-bar.js';
import { MemoryIcon, Picture } from './served-image.js';
import { explainMatch, fromFirstMatch, shownExcerpt } from './shown-excerpt.js';

import { useLongPress } from './use-long-press.js';

/** Tags that a row shows. */
const MAX_TAGS = 6;

interface Props {
  memory: Item;
  index: number;
  /** The length of the whole list; -1 if it is not known yet. */
  count: number;
  /** Pixels before the first rendered row, where other rows would be. */
  offset: number;
  /** The heading above it, if it is the first of a day, or the first weaker result. */
  heading: string | null;
  words: string;
  /** Whether the window is narrow, so that the excerpt has room for few words. */
  isNarrow: boolean;
  /** Whether a row is one line, without a picture. */
  isCompact: boolean;
  isSelected: boolean;
  measure: (element: HTMLElement | null) => void;
}

/** One memory in a list. */
export function MemoryRow({ memory, index, count, offset, heading, words, isNarrow, isCompact, ...row }: Props) {
  const { isSelected, measure } = row;
  const { id, title, url, tags, capturedAt, generatedBy, match, versions = 1, similar = [] } = memory;
  const { readState, progress, minutes } = memory;
  const address = memoryAddress(id, words, match?.passage);
  const site = url === null ? '' : siteOf(url);
  const reason = explainMatch(memory);
  // A link without a text has its address.
  const shown = shownExcerpt(memory) || (url ?? '').replace(/^https?:\/\//, '');
  const hasThumb = !isCompact && memory.pictureHash !== undefined;
  return (
    <li
      ref={measure}
      data-index={index}
      class="row"
      aria-posinset={index + 1}
      aria-setsize={count}
      style={offset > 0 ? { marginBlockStart: `${offset}px` } : undefined}
    >
      {heading !== null && <h2 class="row-day">{heading}</h2>}
      <div
        class={['row-memory', readState, isSelected && 'selected'].filter(Boolean).join(' ')}
        {...useLongPress(() => toggleSelected(id))}
      >
        <span class="row-mark">
          <MemoryIcon memory={memory} />
          <SelectBox title={title} isSelected={isSelected} onSelect={(extend) => toggleSelected(id, { extend })} />
        </span>
        <a
          class="row-title"
          href={address}
          dir="auto"
          onFocus={() => {
            cursor.value = id;
          }}
        >
          <Marked text={title} query={words} />
        </a>
        <p class="row-facts dotted">
          {site !== '' && <bdi>{site}</bdi>}
          <Age instant={capturedAt} />
          {minutes > 0 && <span>{readingTime(minutes)}</span>}
          {readState === 'reading' && <span>{Math.round(progress * 100)} % read</span>}
          {generatedBy !== null && <span>written by the plugin {displayed(generatedBy)}</span>}
          {versions > 1 && <span>{versions} versions</span>}
          {versions === 1 && similar.length > 0 && <Similar memories={similar} />}
          {reason !== '' && <span class="row-reason">{reason}</span>}
          <MemoryTags tags={tags} most={MAX_TAGS} />
        </p>
        <RowActions memory={memory} />
        {hasThumb && <Picture class="row-thumb" memory={memory} />}
        {shown !== '' && shown !== title && (
          <p class={words === '' ? 'row-excerpt' : 'row-excerpt found'} dir="auto">
            <Marked text={isNarrow ? fromFirstMatch(shown, words) : shown} query={words} />
          </p>
        )}
      </div>
    </li>
  );
}

/** Links to the memories that a result stands for. */
function Similar({ memories: [first, ...more] }: { memories: readonly { id: string }[] }) {
  return (
    <span>
      <a href={memoryAddress(first?.id ?? '', '')}>similar copy</a>
      {more.map(({ id }, at) => (
        <Fragment key={id}>
          {', '}
          <a href={memoryAddress(id, '')} aria-label={`similar copy ${at + 2}`}>
            {at + 2}
          </a>
        </Fragment>
      ))}
    </span>
  );
}
