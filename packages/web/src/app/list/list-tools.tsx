import { limits } from '@recollect/contract/limits';
import type { Sort } from '@recollect/contract/vocabulary';
import { Button, Icon } from '@recollect/ui';
import { useEffect } from 'preact/hooks';
import { ask } from '../dialogs/ask.js';
import { isFilterOpen } from '../shell/overlays.js';
import { listedQuery } from '../state/load-list.js';
import { view, views } from '../state/looks.js';
import { placeLabels } from '../state/places.js';
import { removeSearch, renameSearch, savedSearches, saveSearch } from '../state/saved-searches.js';
import { canShare, loadShares, shareSubject } from '../state/sharing.js';
import { sort, sortNames } from '../state/sort.js';
import { succeeds } from '../state/status.js';

const VIEW_NAMES = { comfortable: 'Comfortable', compact: 'Compact', cards: 'Cards' } as const;
const VIEW_ICONS = { comfortable: 'list', compact: 'lines', cards: 'grid' } as const;

/** The view of the list, and the actions for its query. Results of a search have their own order and look. */
export function ListTools({ isRanked }: { isRanked: boolean }) {
  return (
    <div class="list-tools">
      <Button
        variant="quiet"
        icon="filter"
        class="list-filter"
        aria-label="Filter"
        title="Filter"
        aria-haspopup="dialog"
        onClick={() => {
          isFilterOpen.value = true;
        }}
      >
        <span class="tool-name">Filter</span>
      </Button>
      <SaveSearch />
      {!isRanked && (
        <>
          <select
            class="field list-sort"
            aria-label="Sort"
            value={sort.value}
            onChange={({ currentTarget }) => {
              sort.value = currentTarget.value as Sort;
            }}
          >
            {Object.entries(sortNames).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          <div class="list-views" role="radiogroup" aria-label="View">
            {views.map((name) => (
              <label key={name} class="list-view" title={VIEW_NAMES[name]}>
                <input
                  type="radio"
                  name="view"
                  aria-label={VIEW_NAMES[name]}
                  checked={view.value === name}
                  onChange={() => {
                    view.value = name;
                  }}
                />
                <Icon name={VIEW_ICONS[name]} />
              </label>
            ))}
          </div>
        </>
      )}
    </div>
  );
}

/** Saves the query of the list, or renames and removes the search that it is saved as. */
function SaveSearch() {
  const listed = listedQuery.value ?? '';
  if (listed === '' || BUILT_IN.includes(listed)) return null;
  const saved = savedSearches.value.find((search) => search.query === listed);
  if (saved === undefined)
    return (
      <Button
        variant="quiet"
        icon="bookmark"
        aria-label="Save search"
        title="Save search"
        onClick={() => void askForName(listed)}
      >
        <span class="tool-name">Save search</span>
      </Button>
    );
  return (
    <>
      <Button variant="quiet" onClick={() => void askForNewName(saved.id, saved.name)}>
        Rename
      </Button>
      <ShareSearch id={saved.id} name={saved.name} />
      <Button variant="quiet" onClick={() => void succeeds(removeSearch(saved.id))}>
        Remove saved search
      </Button>
    </>
  );
}

/** Shares a saved search, where that reaches anyone. */
function ShareSearch({ id, name }: { id: string; name: string }) {
  useEffect(() => void loadShares(), []);
  if (!canShare.value) return null;
  return (
    <Button
      variant="quiet"
      onClick={() => {
        shareSubject.value = { savedSearchId: id, name };
      }}
    >
      Share
    </Button>
  );
}

/** Queries that the navigation already lists. */
const BUILT_IN = ['is:starred', 'is:unread', ...Object.values(placeLabels).map((place) => place.query)];

const askForName = (query: string) =>
  ask({
    title: 'Save search',
    text: 'The navigation lists it under this name.',
    label: 'Name',
    value: query.slice(0, limits.savedSearches.nameLength),
    action: 'Save',
    submit: (name) => saveSearch(name, query),
  });

const askForNewName = (id: string, name: string) =>
  ask({
    title: 'Rename saved search',
    label: 'Name',
    value: name,
    action: 'Rename',
    submit: (to) => renameSearch(id, to),
  });
