import { useComputed, useSignal } from '@preact/signals';
import type { TagList } from '@recollect/contract';
import { formatOperator } from '@recollect/contract/query-syntax';
import { count, displayed } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { useEffect } from 'preact/hooks';
import { removeTags, renameTags } from '../dialogs/change-tags.js';
import { TagMark } from '../search/tag-mark.js';
import { usePageTitle } from '../shell/page-title.js';
import { searchAddress } from '../state/query.js';
import { canShare, loadShares, shareSubject } from '../state/sharing.js';
import { lookedTag, tagList, tags } from '../state/tags.js';

import { useFollowed } from '../state/use-resource.js';

/** Tags that are shown before "Show all", so that a store with thousands of them stays quick. */
const MAX_INITIAL_TAGS = 300;

type Tag = TagList['tags'][number];

/** The orders of the list. The server's is by count. */
const ORDERS: Readonly<Record<string, (one: Tag, other: Tag) => number>> = {
  'Most used': () => 0,
  Name: (one, other) => one.tag.localeCompare(other.tag),
  'Last used': (one, other) => other.newestAt.localeCompare(one.newestAt),
};
const [MOST_USED = ''] = Object.keys(ORDERS);

/** All tags: rename, merge and remove them. */
export default function Tags() {
  usePageTitle('Tags');
  const filter = useSignal('');
  const order = useSignal(MOST_USED);
  const isOnce = useSignal(false);
  const isLong = useSignal(false);
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const { problem, reload } = useFollowed(tagList, { changes: 'any' });
  useEffect(() => void Promise.all([reload(), loadShares()]), []);
  const shown = useComputed(() =>
    (tags.value ?? [])
      .filter(
        ({ tag, memories }) =>
          tag.toLowerCase().includes(filter.value.trim().toLowerCase()) && (!isOnce.value || memories === 1),
      )
      .sort(ORDERS[order.value]),
  );
  const choose = (tag: string) => {
    const next = new Set(chosen.value);
    if (!next.delete(tag)) next.add(tag);
    chosen.value = next;
  };
  // Hidden tags are not changed.
  const selectedIn = (listed: NonNullable<typeof tags.value>) =>
    listed.map(({ tag }) => tag).filter((tag) => chosen.value.has(tag));
  const selected = selectedIn(shown.value);

  return (
    <main id="main" tabIndex={-1} class="page">
      <h1>Tags</h1>
      {tags.value?.length === 0 ? (
        <div class="empty-state">
          <h2>There are no tags yet.</h2>
          <p>Add tags when you save a page, or with “Edit tags” on a memory.</p>
        </div>
      ) : (
        <>
          <div class="page-tools">
            <input
              class="field"
              type="text"
              aria-label="Filter tags"
              placeholder="Filter tags"
              value={filter.value}
              onInput={(event) => {
                filter.value = event.currentTarget.value;
                chosen.value = new Set(selectedIn(shown.value));
              }}
            />
            <select
              class="field"
              aria-label="Sort"
              value={order.value}
              onChange={(event) => {
                order.value = event.currentTarget.value;
              }}
            >
              {Object.keys(ORDERS).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
            <Button
              aria-pressed={isOnce.value}
              onClick={() => {
                isOnce.value = !isOnce.value;
                chosen.value = new Set(selectedIn(shown.value));
              }}
            >
              Used once
            </Button>
            {selected.length > 1 && (
              <Button
                onClick={() =>
                  void renameTags(selected).then((isDone) => {
                    if (isDone) chosen.value = new Set();
                  })
                }
              >
                Merge {formatNumber(selected.length)} tags
              </Button>
            )}
            {selected.length > 0 && (
              <Button
                variant="danger"
                onClick={() =>
                  void removeTags(selected).then((isDone) => {
                    if (isDone) chosen.value = new Set();
                  })
                }
              >
                Remove {count(selected.length, 'tag', 'tags')}
              </Button>
            )}
          </div>
          <p class="list-summary" aria-live="polite">
            {tags.value === null ? '' : count(shown.value.length, 'tag', 'tags')}
          </p>
          {tags.value !== null && shown.value.length === 0 && <p>No tag matches.</p>}
          <ul aria-label="Tags" class="tag-list">
            {shown.value.slice(0, isLong.value ? undefined : MAX_INITIAL_TAGS).map((tag) => (
              <TagRow
                key={tag.tag}
                tag={tag}
                isChosen={chosen.value.has(tag.tag)}
                onChoose={() => choose(tag.tag)}
                onRename={() => void renameTags([tag.tag])}
                onRemove={() => void removeTags([tag.tag])}
              />
            ))}
          </ul>
          {shown.value.length > MAX_INITIAL_TAGS && !isLong.value && (
            <Button
              onClick={() => {
                isLong.value = true;
              }}
            >
              Show all {formatNumber(shown.value.length)}
            </Button>
          )}
        </>
      )}
      {problem !== '' && <p role="alert">{problem}</p>}
    </main>
  );
}

interface Props {
  tag: TagList['tags'][number];
  isChosen: boolean;
  onChoose: () => void;
  onRename: () => void;
  onRemove: () => void;
}

/** A tag with its colour, how often and when it was last used, and its actions. */
function TagRow({ tag: { tag, memories, newestAt }, isChosen, onChoose, onRename, onRemove }: Props) {
  const name = displayed(tag);
  return (
    <li>
      <input type="checkbox" aria-label={`Select ${name}`} checked={isChosen} onChange={onChoose} />
      <button
        type="button"
        class="tag-dot-button"
        aria-label={`Colour of ${name}`}
        title={`Colour of ${name}`}
        onClick={() => {
          lookedTag.value = tag;
        }}
      >
        <TagMark tag={tag} />
      </button>
      <a href={searchAddress(formatOperator({ name: 'tag', value: tag }))}>
        <bdi>{name}</bdi>
      </a>
      <span class="row-tools">
        {canShare.value && (
          <Button
            variant="quiet"
            icon="share"
            aria-label={`Share ${name}`}
            onClick={() => {
              shareSubject.value = { tag, name: tag };
            }}
          />
        )}
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
