import { Age, Button } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ConnectionBadge, ConnectionNote } from '../popup/connection-note.js';
import { Header } from '../popup/header.js';
import { openOptions } from '../popup/open-options.js';
import { useConnection } from '../popup/use-connection.js';
import { isOwnPage } from '../saving/own-page.js';
import { isOn } from '../saving/page-access.js';
import type { SetupFile } from '../setup-file.js';
import { type PageState, usePage } from './use-page.js';
import { type ShownTab, useTab } from './use-tab.js';

/** The side panel: memories of the page that the window shows, and of its site. */
export function SidePanel() {
  // Undefined until it has been read.
  const [isAllowed, setAllowed] = useState<boolean | undefined>(undefined);
  useEffect(() => {
    const read = () => void isOn('panel').then(setAllowed);
    read();
    const { permissions, storage } = chrome;
    // The options switch it on and off, and the settings of the browser take the permission back.
    const events = [permissions.onAdded, permissions.onRemoved, storage.onChanged] as chrome.events.Event<() => void>[];
    for (const event of events) event.addListener(read);
    return () => {
      for (const event of events) event.removeListener(read);
    };
  }, []);
  if (isAllowed === undefined) return <Header />;
  return isAllowed ? <Panel /> : <Off />;
}

function Off() {
  return (
    <>
      <Header />
      <main class="notice">
        <p>
          The side panel is off. To show what you saved of a page and of its site, it needs access to web pages. Switch
          it on in the options.
        </p>
        <Button variant="primary" onClick={openOptions}>
          Open the options
        </Button>
      </main>
    </>
  );
}

function Panel() {
  const { setup, connection, isLooking: isChecking, enterKey, retry } = useConnection(useCallback(() => {}, []));
  const tab = useTab();
  const reason = tab === null ? null : whyNotLookedUp(tab, setup ?? null);
  const url = tab === null || reason !== null ? null : (tab.url ?? null);
  const page = usePage(connection, url);
  return (
    <>
      <Header>
        <ConnectionBadge connection={connection} isLooking={isChecking} />
      </Header>
      <main>
        {reason !== null && <p class="empty">{reason}</p>}
        {url !== null && connection.state === 'connected' && (
          <Page page={page} baseUrl={connection.baseUrl} url={url} onRetry={retry} />
        )}
        <ConnectionNote connection={connection} setup={setup} onKey={enterKey} onRetry={retry} />
      </main>
    </>
  );
}

/** Why a tab is not looked up; null if it is. */
function whyNotLookedUp({ url, incognito }: ShownTab, setup: SetupFile | null): string | null {
  if (incognito) return 'Pages in private windows are not looked up.';
  if (url === undefined || !/^https?:/.test(url)) return 'This page belongs to the browser.';
  return isOwnPage(url, setup) ? 'This is your Recollect.' : null;
}

interface PageProps {
  page: PageState;
  baseUrl: string;
  url: string;
  onRetry: () => Promise<void>;
}

function Page({ page, baseUrl, url, onRetry }: PageProps) {
  if (page.state === 'failed')
    return (
      <div class="notice">
        <p role="status">{page.problem}</p>
        <Button onClick={() => void onRetry()}>Try again</Button>
      </div>
    );
  const { memory, ofSite } = page.state === 'found' ? page : { memory: undefined, ofSite: [] };
  const others = ofSite.filter(({ id }) => id !== memory?.id);
  const highlights = memory?.highlights ?? [];
  return (
    <div aria-busy={page.state === 'loading'}>
      <section aria-labelledby="page-heading">
        <h2 id="page-heading">This page</h2>
        {memory === null && <p class="empty">Not saved.</p>}
        {memory && <Memory {...memory} baseUrl={baseUrl} />}
        {highlights.length > 0 && (
          <ul class="quotes" aria-label="Highlights">
            {highlights.map(({ id, quote, colour, note }) => (
              <li key={id}>
                <blockquote class={colour} dir="auto">
                  {quote}
                </blockquote>
                {note !== null && (
                  <p class="facts" dir="auto">
                    {note}
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="site-heading">
        <h2 id="site-heading" dir="auto">
          {siteOf(url)}
        </h2>
        {page.state === 'found' && others.length === 0 && <p class="empty">Nothing else saved.</p>}
        <ul class="memories" aria-label="Saved of this site">
          {others.map((other) => (
            <li key={other.id}>
              <Memory {...other} baseUrl={baseUrl} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

interface MemoryProps {
  id: string;
  title: string;
  capturedAt: string;
  baseUrl: string;
}

function Memory({ id, title, capturedAt, baseUrl }: MemoryProps) {
  return (
    <a class="memory" href={`${baseUrl}/memory/${id}`} target="_blank" rel="noreferrer">
      <span class="title" dir="auto">
        {title}
      </span>
      <span class="facts">
        <Age instant={capturedAt} locale="en" />
      </span>
    </a>
  );
}
