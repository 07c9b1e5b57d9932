import { splitQuery } from '@recollect/contract/query-syntax';
import type { Place } from '@recollect/contract/vocabulary';
import { Button } from '@recollect/ui';
import { useLocation } from 'preact-iso/router';
import { listedPlace } from '../state/places.js';
import { setQuery } from '../state/query.js';
import { useMedia } from '../state/use-media.js';
import { Welcome } from './welcome.js';

/** Says why a list is empty, and what to do. */
export function EmptyList({ query: listed }: { query: string }) {
  const place = listedPlace(listed);
  if (listed.trim() === '') return <Welcome />;
  return place === null ? <NothingFound hasWords={splitQuery(listed).words !== ''} /> : <EmptyPlace place={place} />;
}

const EMPTY_PLACES: Readonly<Record<Place, { title: string; text: string; touch: string }>> = {
  inbox: {
    title: 'Inbox zero',
    text: 'What you save lands here. Press l to keep a memory for later, and a to archive it.',
    touch: 'What you save lands here. Swipe a memory to the left to archive it. Hold it for more.',
  },
  later: {
    title: 'Nothing for later',
    text: 'Press l on a memory to keep it for later.',
    touch: 'Hold a memory and choose Later to keep it for later.',
  },
  archive: {
    title: 'Nothing in the archive',
    text: 'Press a on a memory that you are done with. Imports also land here.',
    touch: 'Swipe a memory to the left when you are done with it. Imports also land here.',
  },
};

function EmptyPlace({ place }: { place: Place }) {
  const { title, text, touch } = EMPTY_PLACES[place];
  return (
    <div class="empty-state">
      <h2>{title}</h2>
      <p>{useMedia('(hover: none) and (pointer: coarse)') ? touch : text}</p>
    </div>
  );
}

function NothingFound({ hasWords }: { hasWords: boolean }) {
  const { route } = useLocation();
  return (
    <div class="empty-state">
      <h2>No matches</h2>
      <p>
        {hasWords
          ? 'Search finds other words for the same thing, so a short description often works better than one exact word.'
          : 'No memory meets all of these conditions.'}
      </p>
      <Button onClick={() => setQuery('', route)}>Show everything</Button>
    </div>
  );
}
