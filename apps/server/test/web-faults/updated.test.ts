import { browserPath } from '@recollect/browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenApp, openApp } from './open-app.js';

describe.skipIf(browserPath === undefined)(
  'an update while a tab is open (needs Chromium: apt-get install chromium)',
  () => {
    let app: OpenApp;
    beforeAll(async () => {
      app = await openApp();
    });
    afterAll(() => app?.close());

    test('reloads once for a part that the server no longer has, and then shows the page', async () => {
      const { page } = await app.open('/everything');
      await page.getByText('Welcome to Recollect').waitFor();
      let loads = 0;
      page.on('request', (request) => {
        if (request.isNavigationRequest()) loads += 1;
      });
      await page.route('**/assets/tags-*.js', (route) =>
        loads === 0 ? route.fulfill({ status: 404, body: 'Not found' }) : route.continue(),
      );
      await page.getByRole('link', { name: 'Tags' }).click();
      await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
      expect([loads, new URL(page.url()).pathname]).toEqual([1, '/tags']);
      await page.close();
    });

    test('does not reload again and again if the part stays away', async () => {
      const { page } = await app.open('/everything');
      await page.getByText('Welcome to Recollect').waitFor();
      let loads = 0;
      page.on('load', () => {
        loads += 1;
      });
      let requests = 0;
      await page.route('**/assets/trash-*.js', (route) => {
        requests += 1;
        return route.fulfill({ status: 404, body: 'Not found' });
      });
      // After ten seconds, it would reload again.
      await page.clock.setFixedTime(new Date());
      await page.getByRole('link', { name: 'Trash' }).click();
      await expect.poll(() => requests).toBe(2);
      await page.getByText('could not be loaded').waitFor();
      expect(loads).toBe(1);
      await page.close();
    });
  },
);
