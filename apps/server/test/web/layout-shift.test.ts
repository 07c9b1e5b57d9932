import { setTimeout } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeApp } from './open-app.js';

/** The largest layout shift of a page while it loads (CLS). Browsers call up to 0.1 good. */
const MAX_SHIFT = 0.02;
/** Milliseconds between the answers of the server, so that each gets its own frame. */
const PACE = 30;
/** Milliseconds without a request after which a page is complete. */
const QUIET = 250;

const SETTINGS = [
  'import-export',
  'backups',
  'languages',
  'appearance',
  'plugins',
  'statistics',
  'people',
  'health',
] as const;

describeApp('layout shifts', (app) => {
  let pages: Readonly<Record<string, string>> = {};

  beforeAll(async () => {
    const { server } = app();
    const lamp = 'Paraffin burns brighter than colza oil, but its lamps smell. '.repeat(12);
    const ids = await app().save(
      ...Array.from({ length: 12 }, (_, at) => ({
        title: `Lamps, part ${at + 1}`,
        url: `https://site-${at}.example/lamps/${at}`,
        pageText: `${at}. ${lamp}`,
        tags: [`lamp ${at}`, 'light/oil'],
      })),
      { pageText: 'A note about wicks.', title: 'Wicks' },
    );
    const [id = ''] = ids;
    for (const quote of ['Paraffin burns', 'its lamps smell'])
      await server.client('createHighlight', { parameters: { id }, body: { quote, note: 'Mine.' } });
    await server.client('updateMemory', { parameters: { id }, body: { progress: 0.4, opened: true } });
    await server.client('createSavedSearch', { body: { name: 'Oil', query: 'tag:light' } });
    await server.client('changeTagLook', { body: { tag: 'lamp 0', icon: '🪔' } });
    await server.client('createApiKey', { body: { name: 'Phone', scopes: ['memory:read'] } });
    pages = {
      home: '/',
      everything: '/everything',
      search: '/?q=lamps',
      reader: `/memory/${id}`,
      ...Object.fromEntries(['highlights', 'highlights/review', 'tags', 'trash'].map((path) => [path, `/${path}`])),
    };
  });

  const expectStill = async (path: string) => {
    for (const size of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await app().page.setViewportSize(size);
      const { sum, moved } = await shiftOf(app().page, app().server.address + path);
      expect(sum, `${path} at ${size.width} px: ${moved.join('; ')}`).toBeLessThan(MAX_SHIFT);
    }
  };

  test.each(['privacy', 'connect'])('SYS-58: nothing moves while the settings page %s loads', (section) =>
    expectStill(`/settings/${section}`),
  );

  test.each(SETTINGS)('SYS-58: nothing moves while the settings page %s loads', { tags: 'long' }, (section) =>
    expectStill(`/settings/${section}`),
  );

  test.each(['home', 'everything', 'search', 'reader', 'highlights', 'highlights/review', 'tags', 'trash'])(
    'SYS-58: nothing moves while the page %s loads',
    { tags: 'long' },
    (name) => expectStill(pages[name] ?? ''),
  );
});

/** Opens a page with a server that answers one request after the other. Returns its shift, and what moved. */
async function shiftOf(page: Page, address: string): Promise<{ sum: number; moved: string[] }> {
  let waiting = 0;
  let last = Date.now();
  let turn = Promise.resolve();
  const inTurn = async (route: Route) => {
    if (route.request().url().endsWith('/events')) return route.continue();
    waiting += 1;
    const mine = turn.then(() => setTimeout(PACE));
    turn = mine;
    await mine;
    await route.continue();
    waiting -= 1;
    last = Date.now();
  };
  await page.route('**/api/v1/**', inTurn);
  await page.goto(address);
  await page.locator('main').waitFor();
  while (waiting > 0 || Date.now() - last < QUIET) await setTimeout(PACE);
  const shift = await page.evaluate(readShift);
  await page.unroute('**/api/v1/**', inTurn);
  return shift;
}

/** Runs in the page: the sum of its layout shifts, and the elements that moved. */
function readShift(): Promise<{ sum: number; moved: string[] }> {
  interface LayoutShift extends PerformanceEntry {
    value: number;
    sources: readonly { node: Node | null }[];
  }
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const entries = list.getEntries() as LayoutShift[];
      resolve({
        sum: entries.reduce((sum, { value }) => sum + value, 0),
        moved: entries.flatMap(({ value, sources }) =>
          sources.map(({ node }) => {
            const element = node instanceof Element ? node : node?.parentElement;
            return `${value.toFixed(3)} ${element?.tagName} ${element?.className} ${element?.textContent?.slice(0, 30)}`;
          }),
        ),
      });
    }).observe({ type: 'layout-shift', buffered: true });
    // Without a shift, the observer is not called.
    window.setTimeout(() => resolve({ sum: 0, moved: [] }), 100);
  });
}
