import type { Share } from '@recollect/contract';
import { displayed, tagKey } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { client } from '../api/client.js';
import { copyText } from '../state/copy-text.js';
import { loadShared, loadShares, type ShareSubject, shareList, shareSubject } from '../state/sharing.js';
import { succeeds } from '../state/status.js';
import { Dialog } from './dialog.js';

/** Shares a tag or a saved search with people and as a public page, and ends that. */
export function ShareDialog() {
  const subject = shareSubject.value;
  const list = shareList.value;
  if (subject === null || list === null) return null;
  const close = () => {
    shareSubject.value = null;
  };
  const shares = list.shares.filter((share) => isOf(share, subject));
  const page = shares.find(({ person }) => person === null);
  return (
    <Dialog title={`Share ${displayed(subject.name)}`} onClose={close}>
      <p class="soft">
        A share shows the memories that {'tag' in subject ? 'have the tag' : 'the search finds'} whenever someone looks.
        Your notes, highlights and other tags are not shown.
      </p>
      <ul aria-label="Shared with" class="settings-list">
        {shares.map((share) => (
          <ShareRow key={share.id} share={share} />
        ))}
      </ul>
      {list.people.length > 0 && <WithPerson subject={subject} people={list.people} />}
      {list.hasPublicPages && page === undefined && <AsPage subject={subject} />}
      <div class="form-actions">
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

function isOf({ tag, savedSearch }: Share, subject: ShareSubject): boolean {
  if ('tag' in subject) return tag !== null && tagKey(tag) === tagKey(subject.tag);
  return savedSearch?.id === subject.savedSearchId;
}

function ShareRow({ share: { id, person, mayAdd, showsText, link } }: { share: Share }) {
  const name = person === null ? 'everyone with the address' : displayed(person.name);
  const end = async () => {
    await client('deleteShare', { parameters: { id } });
    await changed();
  };
  return (
    <li>
      <div>
        <strong>
          <bdi>{person === null ? 'Public page' : name}</bdi>
        </strong>
        <p class="soft">
          {person !== null && (mayAdd ? 'Reads, and adds memories.' : 'Reads.')}
          {person === null && (showsText ? 'Shows excerpts and whole texts.' : 'Shows titles, links and excerpts.')}
        </p>
        {link !== null && (
          <a href={link} target="_blank" rel="noreferrer" class="share-link">
            {link}
          </a>
        )}
      </div>
      <div class="button-row">
        {link !== null && (
          <>
            <Button icon="copy" onClick={() => void copyText(link, 'The address is copied.')}>
              Copy address
            </Button>
            <Button icon="copy" onClick={() => void copyText(`${link}/feed`, 'The address of the feed is copied.')}>
              Copy feed
            </Button>
          </>
        )}
        <Button variant="danger" aria-label={`Stop sharing with ${name}`} onClick={() => void succeeds(end())}>
          Stop
        </Button>
      </div>
    </li>
  );
}

function WithPerson({ subject, people }: { subject: ShareSubject; people: readonly { id: string; name: string }[] }) {
  const [personId, setPersonId] = useState('');
  const [mayAdd, setMayAdd] = useState(false);
  return (
    <form
      class="form"
      aria-label="Share with a person"
      onSubmit={(event) => {
        event.preventDefault();
        void succeeds(share(subject, { personId, mayAdd })).then((isDone) => isDone && setPersonId(''));
      }}
    >
      <label class="form-field">
        <span>Person</span>
        <select class="field" value={personId} onChange={({ currentTarget }) => setPersonId(currentTarget.value)}>
          <option value="">Choose…</option>
          {people.map(({ id, name }) => (
            <option key={id} value={id}>
              {displayed(name)}
            </option>
          ))}
        </select>
      </label>
      {'tag' in subject && (
        <div class="checks">
          <label>
            <input
              type="checkbox"
              checked={mayAdd}
              onChange={({ currentTarget }) => setMayAdd(currentTarget.checked)}
            />
            May add memories, which stay theirs
          </label>
        </div>
      )}
      <div class="form-actions">
        <Button type="submit" disabled={personId === ''}>
          Share
        </Button>
      </div>
    </form>
  );
}

function AsPage({ subject }: { subject: ShareSubject }) {
  const [showsText, setShowsText] = useState(false);
  return (
    <form
      class="form"
      aria-label="Public page"
      onSubmit={(event) => {
        event.preventDefault();
        void succeeds(share(subject, { isPublic: true, showsText }));
      }}
    >
      <div class="checks">
        <label>
          <input
            type="checkbox"
            checked={showsText}
            onChange={({ currentTarget }) => setShowsText(currentTarget.checked)}
          />
          Show whole texts
        </label>
      </div>
      <div class="form-actions">
        <Button type="submit">Create a public page</Button>
      </div>
    </form>
  );
}

async function share(
  subject: ShareSubject,
  how: { personId: string; mayAdd: boolean } | { isPublic: true; showsText: boolean },
): Promise<void> {
  const what = 'tag' in subject ? { tag: subject.tag } : { savedSearchId: subject.savedSearchId };
  await client('createShare', { body: { ...what, ...how } });
  await changed();
}

/** A tag to which others may add is among what this person can read. */
async function changed(): Promise<void> {
  await Promise.all([loadShares(), loadShared()]);
}
