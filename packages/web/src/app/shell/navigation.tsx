import { displayed } from '@recollect/contract/text';
import { Icon, type IconName } from '@recollect/ui';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { query, searchAddress } from '../state/query.js';
import { loadSavedSearches, savedSearches } from '../state/saved-searches.js';

const PAGES: readonly { path: string; name: string; icon: IconName }[] = [
  { path: '/', name: 'Everything', icon: 'everything' },
  { path: '/highlights', name: 'Highlights', icon: 'highlight' },
  { path: '/tags', name: 'Tags', icon: 'tag' },
  { path: '/trash', name: 'Trash', icon: 'trash' },
  { path: '/settings', name: 'Settings', icon: 'settings' },
];

/** Lists that everyone has. */
const LISTS: readonly { name: string; query: string; icon: IconName }[] = [
  { name: 'Starred', query: 'is:starred', icon: 'star' },
  { name: 'Unread', query: 'is:unread', icon: 'bookmark' },
];

/** The links to the pages, and to saved searches where there is room for them. */
export function Navigation() {
  const { path } = useLocation();
  useEffect(() => void loadSavedSearches(), []);
  const isListed = (text: string) => path === '/' && query.value === text;
  const isList = [...LISTS, ...savedSearches.value].some((list) => isListed(list.query));
  return (
    <nav class="navigation" aria-label="Pages">
      <ul>
        {PAGES.map((page) => (
          <li key={page.path}>
            <a href={page.path} aria-current={isWithin(path, page.path) && !isList ? 'page' : undefined}>
              <Icon name={page.icon} />
              <span>{page.name}</span>
            </a>
          </li>
        ))}
      </ul>
      <ul aria-label="Lists" class="navigation-lists">
        {LISTS.map((list) => (
          <li key={list.name}>
            <a href={searchAddress(list.query)} aria-current={isListed(list.query) ? 'true' : undefined}>
              <Icon name={list.icon} />
              <span>{list.name}</span>
            </a>
          </li>
        ))}
        {savedSearches.value.map((search) => (
          <li key={search.id}>
            <a href={searchAddress(search.query)} aria-current={isListed(search.query) ? 'true' : undefined}>
              <Icon name="search" />
              <bdi>{displayed(search.name)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The settings have pages of their own. */
function isWithin(path: string, page: string): boolean {
  return path === page || (page !== '/' && path.startsWith(`${page}/`));
}
