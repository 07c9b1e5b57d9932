import { displayed } from '@recollect/contract/text';
import { Icon, type IconName } from '@recollect/ui';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { addressOf, pagePath } from '../api/base-path.js';
import { onReconnect } from '../api/connection.js';
import { query, searchAddress } from '../state/query.js';
import { loadSavedSearches, namedLists } from '../state/saved-searches.js';
import { loadShared, sharedCollections } from '../state/sharing.js';

interface PageLink {
  path: string;
  name: string;
  icon: IconName;
}

const SHARED: PageLink = { path: '/shared', name: 'Shared with me', icon: 'share' };
const PAGES: readonly PageLink[] = [
  { path: '/', name: 'Everything', icon: 'everything' },
  { path: '/highlights', name: 'Highlights', icon: 'highlight' },
  { path: '/tags', name: 'Tags', icon: 'tag' },
  { path: '/trash', name: 'Trash', icon: 'trash' },
  { path: '/settings', name: 'Settings', icon: 'settings' },
];

/** The place of the link to shares, after the tags. */
const SHARED_AT = 3;

/** The links to the pages, and to saved searches where there is room for them. */
export function Navigation() {
  const path = pagePath(useLocation().path);
  useEffect(() => {
    const load = () => void Promise.all([loadSavedSearches(), loadShared()]);
    load();
    return onReconnect(load);
  }, []);
  const hasShared = sharedCollections.value.length > 0 || isWithin(path, SHARED.path);
  const pages = hasShared ? PAGES.toSpliced(SHARED_AT, 0, SHARED) : PAGES;
  const isListed = (text: string) => path === '/' && query.value === text;
  const isList = namedLists.value.some((list) => isListed(list.query));
  return (
    <nav class="navigation" aria-label="Pages">
      <ul>
        {pages.map((page) => (
          <li key={page.path}>
            <a href={addressOf(page.path)} aria-current={isWithin(path, page.path) && !isList ? 'page' : undefined}>
              <Icon name={page.icon} />
              <span>{page.name}</span>
            </a>
          </li>
        ))}
      </ul>
      <Lists class="navigation-lists" isListed={isListed} />
    </nav>
  );
}

/** The lists where the navigation has no room for them: over the list of everything. */
export function ListsRow() {
  return (
    <nav class="lists-row" aria-label="Lists">
      <Lists isListed={(text) => query.value === text} />
    </nav>
  );
}

function Lists({ isListed, ...given }: { class?: string; isListed: (text: string) => boolean }) {
  return (
    <ul aria-label="Lists" {...given}>
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

/** The settings have several pages. */
function isWithin(path: string, page: string): boolean {
  return path === page || (page !== '/' && path.startsWith(`${page}/`));
}
