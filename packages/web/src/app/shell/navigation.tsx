import { Icon, type IconName } from '@recollect/ui';
import { useLocation } from 'preact-iso/router';

const PAGES: readonly { path: string; name: string; icon: IconName }[] = [
  { path: '/', name: 'Everything', icon: 'everything' },
  { path: '/highlights', name: 'Highlights', icon: 'highlight' },
  { path: '/tags', name: 'Tags', icon: 'tag' },
  { path: '/trash', name: 'Trash', icon: 'trash' },
  { path: '/settings', name: 'Settings', icon: 'settings' },
];

/** The links to the pages. */
export function Navigation() {
  const { path } = useLocation();
  return (
    <nav class="navigation" aria-label="Pages">
      <ul>
        {PAGES.map((page) => (
          <li key={page.path}>
            <a href={page.path} aria-current={isWithin(path, page.path) ? 'page' : undefined}>
              <Icon name={page.icon} />
              <span>{page.name}</span>
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
