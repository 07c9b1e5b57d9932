import { formatOperator } from '@recollect/contract/query-syntax';
import { displayed } from '@recollect/contract/text';
import { Age, Chip, Marked, SourceIcon } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import { rememberPassage } from '../reader/passage.js';
import type { Item } from '../state/library.js';
import { searchAddress } from '../state/query.js';
import { cursor, toggleSelected } from '../state/selection.js';
import { explainMatch } from './explain-match.js';

/** Tags that a row shows. */
const MAX_TAGS = 6;

interface Props {
  memory: Item;
  index: number;
  /** The length of the whole list; -1 if it is not known yet. */
  count: number;
  /** Pixels before the first rendered row, where other rows would be. */
  offset: number;
  /** The heading of its day, if it is the first of that day. */
  day: string | null;
  words: string;
  isSelected: boolean;
  measure: (element: HTMLElement | null) => void;
}

/** One memory in a list. */
export function MemoryRow({ memory, index, count, offset, day, words, isSelected, measure }: Props) {
  const { id, title, url, sourceType, excerpt, tags, capturedAt } = memory;
  const address = words === '' ? `/memory/${id}` : `/memory/${id}?q=${encodeURIComponent(words)}`;
  const site = url === null ? '' : siteOf(url);
  const reason = explainMatch(memory);
  return (
    <li
      ref={measure}
      data-index={index}
      class="row"
      aria-posinset={index + 1}
      aria-setsize={count}
      style={offset > 0 ? { marginBlockStart: `${offset}px` } : undefined}
    >
      {day !== null && <h2 class="row-day">{day}</h2>}
      <div class={isSelected ? 'row-memory selected' : 'row-memory'}>
        <span class="row-mark">
          <SourceIcon sourceType={sourceType} />
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={`Select ${displayed(title)}`}
            onClick={(event) => toggleSelected(id, { extend: event.shiftKey })}
          />
        </span>
        <a
          class="row-title"
          href={address}
          dir="auto"
          onClick={() => rememberPassage(id, words === '' ? '' : excerpt)}
          onFocus={() => {
            cursor.value = id;
          }}
        >
          <Marked text={title} query={words} />
        </a>
        <p class="row-facts">
          {site !== '' && <bdi>{site}</bdi>}
          <Age instant={capturedAt} />
          {reason !== '' && <span class="row-reason">{reason}</span>}
        </p>
        {excerpt !== title && (
          <p class="row-excerpt" dir="auto">
            <Marked text={excerpt} query={words} />
          </p>
        )}
        {tags.length > 0 && (
          <p class="row-tags">
            {tags.slice(0, MAX_TAGS).map((tag) => (
              <Chip key={tag} label={tag} href={searchAddress(formatOperator({ name: 'tag', value: tag }))} />
            ))}
            {tags.length > MAX_TAGS && <span>+{tags.length - MAX_TAGS}</span>}
          </p>
        )}
      </div>
    </li>
  );
}
