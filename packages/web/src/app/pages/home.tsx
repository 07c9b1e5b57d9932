import '../styles/colour-choices.css';
import type { Highlight } from '@recollect/contract';
import { displayed } from '@recollect/contract/text';
import { Age } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { addressOf } from '../api/base-path.js';
import { onDemand } from '../api/on-demand.js';
import { Shelf, ShelfCard } from '../list/shelf.js';
import { usePageTitle } from '../shell/page-title.js';
import { readHome, readSavedShelves, type Shelf as SavedShelf } from '../state/home.js';
import { placeCounts } from '../state/places.js';
import { memoryAddress, searchAddress } from '../state/query.js';
import { savedSearches } from '../state/saved-searches.js';
import { useResource } from '../state/use-resource.js';

const Welcome = onDemand(() => import('./welcome.js').then((it) => it.Welcome));

/** Saved searches that have a shelf. */
const MAX_SAVED_SHELVES = 6;

/** The home page: what to read on, and what to find again. */
export function Home() {
  usePageTitle('Home');
  const { value: home, problem } = useResource(() => readHome(), { changes: 'any' });
  const searches = savedSearches.value.slice(0, MAX_SAVED_SHELVES);
  const key = JSON.stringify(searches.map(({ name, query }) => [name, query]));
  const { value: saved } = useResource(() => readSavedShelves(searches), { changes: 'any', key });
  const isEmpty = home?.shelves.length === 0;
  return (
    <main id="main" tabIndex={-1} class="home" aria-busy={home === null}>
      <h1>{greeting(new Date().getHours())}</h1>
      <p class="home-lead soft">{leadOf(placeCounts.value.value)}</p>
      {home?.shelves.map((shelf) => (
        <MemoryShelf key={shelf.name} shelf={shelf} />
      ))}
      {home !== null && home.highlights.length > 0 && <HighlightShelf highlights={home.highlights} />}
      {/* Below the others, so that nothing moves when they come. */}
      {home !== null && saved?.map((shelf) => <MemoryShelf key={`saved ${shelf.query}`} shelf={shelf} />)}
      {isEmpty && <Welcome />}
      {problem !== '' && <p role="alert">{problem}</p>}
    </main>
  );
}

function MemoryShelf({ shelf: { name, query, items } }: { shelf: SavedShelf }) {
  return (
    <Shelf name={name} address={searchAddress(query)}>
      {items.map((memory) => (
        <ShelfCard key={memory.id} memory={memory} />
      ))}
    </Shelf>
  );
}

function HighlightShelf({ highlights }: { highlights: readonly Highlight[] }) {
  return (
    <Shelf name="Highlights to revisit" address={addressOf('/highlights/review')} action="Review">
      {highlights.map(({ id, memoryId, quote, title, colour, createdAt }) => (
        <li key={id} class="shelf-card quote-card">
          <blockquote class={`cover quote ${colour}`} dir="auto">
            <span>{displayed(quote)}</span>
          </blockquote>
          <a class="row-title" href={memoryAddress(memoryId, '')} dir="auto">
            {displayed(title)}
          </a>
          <p class="row-facts">
            <Age instant={createdAt} />
          </p>
        </li>
      ))}
    </Shelf>
  );
}

/** The first hours of the afternoon and the evening. */
const [NOON, EVENING] = [12, 18];

function greeting(hour: number): string {
  if (hour < NOON) return 'Good morning';
  return hour < EVENING ? 'Good afternoon' : 'Good evening';
}

function leadOf(counts: { inbox: number; later: number } | null): string {
  if (counts === null) return '';
  const parts = [
    [counts.inbox, 'in the inbox'],
    [counts.later, 'for later'],
  ] as const;
  return parts.flatMap(([number, where]) => (number === 0 ? [] : [`${formatNumber(number)} ${where}`])).join(' · ');
}
