import '../styles/tab-bar.css';
import { Button, Icon, type IconName } from '@recollect/ui';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { addressOf, pagePath } from '../api/base-path.js';
import { Dialog } from '../dialogs/dialog.js';
import { isAddOpen } from '../dialogs/note-dialog.js';
import { isListPage, searchAddress } from '../state/query.js';
import { Navigation } from './navigation.js';
import { isHelpOpen } from './overlays.js';

/** The bar at the bottom of a narrow window: the frequent pages, the search, *Add*, and a menu with all pages. */
export function TabBar() {
  const { url } = useLocation();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const close = () => setMenuOpen(false);
  useEffect(close, [url]);
  const path = pagePath(location.pathname);
  const isList = isListPage();
  return (
    <nav class="tab-bar" aria-label="Tabs">
      <Tab name="Home" icon="home" address={addressOf('/')} isCurrent={path === '/' && !isList} />
      <Tab name="Search" icon="search" address={searchAddress('')} isCurrent={isList} onClick={startSearch} />
      <button
        type="button"
        class="tab-add"
        onClick={() => {
          isAddOpen.value = true;
        }}
      >
        <Icon name="plus" />
        <span>Add</span>
      </button>
      <Tab
        name="Highlights"
        icon="highlight"
        address={addressOf('/highlights')}
        isCurrent={path.startsWith('/highlights')}
      />
      <button type="button" aria-haspopup="dialog" onClick={() => setMenuOpen(true)}>
        <Icon name="menu" />
        <span>Menu</span>
      </button>
      {isMenuOpen && (
        <Dialog title="Menu" class="sheet" onClose={close}>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: keys press the links in it. */}
          <div
            onClick={({ target }) => {
              // A link to the page that is shown changes no address.
              if (target instanceof Element && target.closest('a') !== null) close();
            }}
          >
            <Navigation />
          </div>
          <Button
            variant="quiet"
            icon="info"
            onClick={() => {
              close();
              isHelpOpen.value = true;
            }}
          >
            Keys and gestures
          </Button>
        </Dialog>
      )}
    </nav>
  );
}

interface TabProps {
  name: string;
  icon: IconName;
  address: string;
  isCurrent: boolean;
  onClick?: (event: MouseEvent) => void;
}

function Tab({ name, icon, address, isCurrent, onClick }: TabProps) {
  return (
    <a href={address} aria-current={isCurrent ? 'page' : undefined} {...(onClick === undefined ? {} : { onClick })}>
      <Icon name={icon} />
      <span>{name}</span>
    </a>
  );
}

/** Focuses the search field during the tap: otherwise phones do not show their keyboard. A shown list stays. */
function startSearch(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (isListPage()) {
    event.preventDefault();
    // The router follows links that the page has prevented.
    event.stopPropagation();
  }
  document.querySelector<HTMLInputElement>('#search')?.focus();
}
