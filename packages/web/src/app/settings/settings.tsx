import type { SettingsSection } from '@recollect/contract/vocabulary';
import { Icon } from '@recollect/ui';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { addressOf } from '../api/base-path.js';
import { client } from '../api/client.js';
import { onDemand } from '../api/on-demand.js';
import { NotFound } from '../shell/not-found.js';
import { usePageTitle } from '../shell/page-title.js';
import { settingsAddress, settingsPages } from '../state/settings-pages.js';
import { NARROW, useMedia } from '../state/use-media.js';
import { useResource } from '../state/use-resource.js';
import { Appearance } from './appearance.js';
import { Backups } from './backups.js';
import { Connect } from './connect.js';
import { Health } from './health.js';
import { Languages } from './languages.js';
import { People } from './people.js';
import { Plugins } from './plugins.js';
import { Privacy } from './privacy.js';
import { PAGE_TITLE } from './section.js';
import { ImportExport } from './transfer.js';
import '../styles/settings.css';

const StatisticsPage = onDemand(() => import('./statistics.js').then((it) => it.StatisticsPage));

const CONTENTS: Readonly<Record<SettingsSection, ComponentType>> = {
  connect: Connect,
  'import-export': ImportExport,
  backups: Backups,
  languages: Languages,
  appearance: Appearance,
  plugins: Plugins,
  statistics: StatisticsPage,
  privacy: Privacy,
  people: People,
  health: Health,
};

/** The settings: a list of pages with one of them beside it, or alone where there is no room for both. */
export default function Settings() {
  const { section } = useRoute().params;
  const isKnown = section === undefined || settingsPages.some((page) => page.section === section);
  return isKnown ? <SettingsPages section={section as SettingsSection | undefined} /> : <NotFound />;
}

function SettingsPages({ section }: { section: SettingsSection | undefined }) {
  const { route } = useLocation();
  const hasRoom = !useMedia(NARROW);
  const isList = section === undefined && !hasRoom;
  const { section: shown, name } = settingsPages.find((page) => page.section === section) ?? FIRST;
  useEffect(() => {
    if (section === undefined && hasRoom) route(settingsAddress(FIRST.section), true);
  }, [section, hasRoom]);
  usePageTitle(isList ? 'Settings' : name);
  const Content = CONTENTS[shown];
  return (
    <main id="main" tabIndex={-1} class="settings">
      {isList && <h1>Settings</h1>}
      {(hasRoom || isList) && <SettingsNavigation shown={isList ? null : shown} />}
      {!isList && (
        <div class="page">
          {!hasRoom && (
            <a class="back" href={addressOf('/settings')}>
              <Icon name="chevron" />
              Settings
            </a>
          )}
          <h1 id={PAGE_TITLE}>{name}</h1>
          <Content key={shown} />
        </div>
      )}
    </main>
  );
}

const [FIRST] = settingsPages as [(typeof settingsPages)[number]];

function SettingsNavigation({ shown }: { shown: SettingsSection | null }) {
  const { value: session } = useResource(() => client('sessionState', {}));
  // Until it is known who this is, all pages are listed, as for the owner.
  const operates = session?.scopes?.includes('operate') ?? true;
  return (
    <nav aria-label="Settings" class="settings-navigation">
      <ul>
        {settingsPages.map(({ section, name, icon, isOperated }) =>
          isOperated && !operates ? null : (
            <li key={section}>
              <a href={settingsAddress(section)} aria-current={section === shown ? 'page' : undefined}>
                <Icon name={icon} />
                <span>{name}</span>
              </a>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}
