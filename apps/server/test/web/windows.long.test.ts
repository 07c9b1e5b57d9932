import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeApp, eventually } from './open-app.js';

describeApp('several windows', (app) => {
  /** The windows that read the server's stream of changes now. */
  const listening: Page[] = [];

  /** Opens the list in a new window. `prepare` runs before the app does. */
  const openWindow = async (prepare = () => {}): Promise<Page> => {
    const page = await app().context.newPage();
    await page.addInitScript(prepare);
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/events')) listening.push(page);
    });
    page.on('requestfailed', (request) => {
      if (request.url().endsWith('/api/v1/events')) listening.splice(listening.indexOf(page), 1);
    });
    await page.goto(`${app().server.address}/everything`);
    await page.getByRole('searchbox', { name: 'Search' }).waitFor();
    return page;
  };
  const link = (page: Page, title: string) => page.getByRole('link', { name: title, exact: true });

  test('more than browsers allow connections all load and follow changes, also after the first one closes', async () => {
    await app().save({ title: 'Before', pageText: 'Saved before.' });
    const windows: Page[] = [];
    for (let count = 0; count < 7; count++) {
      const page = await openWindow();
      await link(page, 'Before').waitFor();
      windows.push(page);
    }
    expect(listening).toHaveLength(1);
    await app().save({ title: 'Meanwhile', pageText: 'Saved meanwhile.' });
    await Promise.all(windows.map((page) => link(page, 'Meanwhile').waitFor()));
    const [leader] = listening;
    const others = windows.filter((page) => page !== leader);
    await Promise.all([leader?.close(), app().save({ title: 'After', pageText: 'Saved as it closed.' })]);
    await Promise.all(others.map((page) => link(page, 'After').waitFor()));
    await eventually(() => listening.filter((page) => others.includes(page)).length).toBe(1);
    await Promise.all(others.map((page) => page.close()));
    listening.length = 0;
  });

  test('each window listens itself where there are no locks, as without a secure context', async () => {
    const windows: Page[] = [];
    for (let count = 0; count < 2; count++) {
      windows.push(await openWindow(() => Reflect.deleteProperty(Navigator.prototype, 'locks')));
    }
    await eventually(() => listening.length).toBe(2);
    await app().save({ title: 'Without locks', pageText: 'Saved without locks.' });
    await Promise.all(windows.map((page) => link(page, 'Without locks').waitFor()));
    await Promise.all(windows.map((page) => page.close()));
  });
});
