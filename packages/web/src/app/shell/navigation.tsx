import { displayed } from '@recollect/contract/text';
import { Icon, type IconName } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { useLocation } from 'preact-iso/router';
import { addressOf, pagePath } from '../api/base-path.js';
import { onReconnect } from '../api/connection.js';
import { onChanges } from '../api/events.js';
import { onDemand } from '../api/on-demand.js';
import { placeCounts, placeLabels } from '../state/places.js';
import { isListPage, query, searchAddress } from '../state/query.js';
import { loadSavedSearches, namedLists } from '../state/saved-searches.js';
import { loadShared, sharedCollections } from '../state/sharing.js';
import { tagList } from '../state/tags.js';

const TagTree = onDemand(() => import('./tag-tree.js').then((it) => it.TagTree));

interface PageLink {
  name: string;
  icon: IconName;
  address: string;
  isCurrent: boolean;
  /** Memories that wait there. */
  waiting?: number | undefined;
}

/** Milliseconds without a change before the places are counted: changes arrive in bursts. */
const DEBOUNCE_MS = 300;

/** The links to the pages, saved searches and tags. */
export function Navigation() {
  // The current page is another one after each change of the address.
  useLocation();
  const pages = pageLinks();
  return (
    <nav class="navigation" aria-label="Pages">
      <ul class="navigation-pages">
        {pages.map(({ name, icon, address, isCurrent, waiting = 0 }) => (
          <li key={name}>
            <a href={address} aria-current={isCurrent ? 'page' : undefined}>
              <Icon name={icon} />
              <span>{name}</span>
              {waiting > 0 && (
                <span class="navigation-count">
                  {formatNumber(waiting)}
                  <span class="hidden"> {waiting === 1 ? 'memory' : 'memories'}</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <Lists class="navigation-lists" />
      {/* Below the others, so that nothing moves when it comes. */}
      <TagTree />
    </nav>
  );
}

/** Reads what the navigation shows, and the counts again after changes, until the returned function is called. */
export function followNavigation(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const load = () => void Promise.all([loadSavedSearches(), loadShared(), placeCounts.load(), tagList.load()]);
  load();
  const stops = [
    onReconnect(load),
    onChanges(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void Promise.all([placeCounts.load(), tagList.load()]), DEBOUNCE_MS);
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

function pageLinks(): PageLink[] {
  const path = pagePath(location.pathname);
  const isList = isListPage();
  const { inbox, later } = placeCounts.value.value ?? {};
  const isNamed = [...namedLists.value, ...Object.values(placeLabels)].some((list) => list.query === query.value);
  const isTag = /^tag:(?:"[^"]*"|\S+)$/.test(query.value);
  const page = (at: string, name: string, icon: IconName): PageLink => ({
    name,
    icon,
    address: addressOf(at),
    isCurrent: !isList && (path === at || (at !== '/' && path.startsWith(`${at}/`))),
  });
  const place = (at: keyof typeof placeLabels, waiting?: number): PageLink => ({
    name: placeLabels[at].name,
    icon: placeLabels[at].icon,
    address: searchAddress(placeLabels[at].query),
    isCurrent: isList && query.value === placeLabels[at].query,
    waiting,
  });
  const shared = page('/shared', 'Shared with me', 'share');
  return [
    page('/', 'Home', 'home'),
    place('inbox', inbox),
    place('later', later),
    place('archive'),
    { name: 'Everything', icon: 'everything', address: searchAddress(''), isCurrent: isList && !isNamed && !isTag },
    page('/highlights', 'Highlights', 'highlight'),
    page('/tags', 'Tags', 'tag'),
    ...(sharedCollections.value.length > 0 || shared.isCurrent ? [shared] : []),
    page('/trash', 'Trash', 'trash'),
    page('/settings', 'Settings', 'settings'),
  ];
}

/** The lists where the navigation has no room for them: over the list of everything. */
export function ListsRow() {
  return (
    <nav class="lists-row" aria-label="Lists">
      <Lists />
    </nav>
  );
}

function Lists({ class: name }: { class?: string }) {
  const isListed = (text: string) => isListPage() && query.value === text;
  return (
    <ul aria-label="Lists" {...(name === undefined ? {} : { class: name })}>
      {namedLists.value.map((list) => (
        <li key={list.id}>
          <a href={searchAddress(list.query)} aria-current={isListed(list.query) ? 'true' : undefined}>
            <Icon name={list.icon} />
            <bdi>{displayed(list.name)}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}
