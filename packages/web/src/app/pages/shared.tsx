import type { SharedItem } from '@recollect/contract';
import { displayed } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import { useEffect } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';
import { client } from '../api/client.js';
import { MarkdownText } from '../dialogs/markdown-text.js';
import { usePageTitle } from '../shell/page-title.js';
import { loadShared, sharedCollections, sharedPath } from '../state/sharing.js';
import { succeeds } from '../state/status.js';
import { usePages } from '../state/use-pages.js';
import { useResource } from '../state/use-resource.js';

/** What others share with this person, and their own tags to which others add. */
export function SharedCollections() {
  usePageTitle('Shared with me');
  useEffect(() => void loadShared(), []);
  const collections = sharedCollections.value;
  return (
    <main id="main" tabIndex={-1} class="page">
      <h1>Shared with me</h1>
      {collections.length === 0 && (
        <div class="empty-state">
          <h2>Nothing is shared with you yet.</h2>
          <p>Others share a tag on the page of their tags, or a saved search above its list.</p>
        </div>
      )}
      <ul aria-label="Shared with me" class="settings-list">
        {collections.map(({ id, name, kind, owner, isOwn, mayAdd }) => (
          <li key={id}>
            <div>
              <a href={addressOf(sharedPath(id))}>
                <bdi>{displayed(name)}</bdi>
              </a>
              <p class="soft">
                {kind === 'tag' ? 'Tag' : 'Saved search'} of {isOwn ? 'yours' : displayed(owner.name)}.
                {isOwn && ' Others may add to it.'}
                {mayAdd && ' You may add to it: open a memory, and press More.'}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </main>
  );
}

/** The memories of one share. */
export function SharedMemories({ id }: { id: string }) {
  const { pages, problem, hasMore, readMore, reload } = usePages(
    (cursor) => client('listSharedMemories', { parameters: { id }, query: { cursor } }),
    { key: id },
  );
  const collection = pages[0]?.collection;
  usePageTitle(displayed(collection?.name ?? ''));
  const memories = pages.flatMap((page) => page.memories);
  return (
    <main id="main" tabIndex={-1} class="page">
      <h1>
        <bdi>{displayed(collection?.name ?? '')}</bdi>
      </h1>
      <p class="soft">
        <a href={addressOf(sharedPath())}>Shared with me</a>
        {collection !== undefined && !collection.isOwn && ` · of ${displayed(collection.owner.name)}`}
      </p>
      {pages.length > 0 && memories.length === 0 && <p>Nothing here yet.</p>}
      <ul aria-label="Shared memories" class="settings-list">
        {memories.map((memory) => (
          <Item
            key={`${memory.personId} ${memory.id}`}
            share={id}
            memory={memory}
            onTakeOut={collection !== undefined && memory.personId !== collection.owner.id ? reload : null}
            isOwnTag={collection?.isOwn === true}
          />
        ))}
      </ul>
      {hasMore && <Button onClick={() => void readMore()}>Show more</Button>}
      {problem !== '' && <p role="alert">{problem}</p>}
    </main>
  );
}

interface ItemProps {
  share: string;
  memory: SharedItem;
  /** Called after an added memory was taken out. Null for a memory of the owner. */
  onTakeOut: (() => Promise<void>) | null;
  isOwnTag: boolean;
}

function Item({ share, memory, onTakeOut, isOwnTag }: ItemProps) {
  const { id, personId, personName, title, url, capturedAt, excerpt } = memory;
  const site = url === null ? '' : siteOf(url);
  const takeOut = async () => {
    await client('removeFromShared', { parameters: { id: share, personId, memoryId: id } });
    await onTakeOut?.();
  };
  return (
    <li>
      <div>
        <a href={addressOf(sharedPath(share, personId, id))} dir="auto">
          {displayed(title)}
        </a>
        <p dir="auto">{displayed(excerpt)}</p>
        <p class="soft">
          {displayed(personName)}
          {site !== '' && ` · ${site}`} · <Age instant={capturedAt} style="long" />
        </p>
      </div>
      {onTakeOut !== null && isOwnTag && (
        <Button aria-label={`Take out ${displayed(title)}`} onClick={() => void succeeds(takeOut())}>
          Take out
        </Button>
      )}
    </li>
  );
}

/** A memory that someone shares, which can be read only. */
export function SharedMemory({ id, person, memory: memoryId }: { id: string; person: string; memory: string }) {
  const { value: memory, problem } = useResource(
    () => client('getSharedMemory', { parameters: { id, personId: person, memoryId } }),
    { key: `${id} ${person} ${memoryId}` },
  );
  usePageTitle(displayed(memory?.title ?? ''));
  return (
    <main id="main" tabIndex={-1} class="page">
      <h1 dir="auto">{displayed(memory?.title ?? '')}</h1>
      <p class="soft">
        <a href={addressOf(sharedPath(id))}>Back to the share</a>
        {memory !== null && (
          <>
            {' · '}
            {displayed(memory.personName)}
            {' · '}
            <Age instant={memory.capturedAt} style="long" />
          </>
        )}
        {memory?.url != null && siteOf(memory.url) !== '' && (
          <>
            {' · '}
            <a href={memory.url} target="_blank" rel="noopener noreferrer nofollow">
              Open original
            </a>
          </>
        )}
      </p>
      {memory !== null && <MarkdownText name="Text" text={memory.text} />}
      {problem !== '' && <p role="alert">{problem}</p>}
    </main>
  );
}
