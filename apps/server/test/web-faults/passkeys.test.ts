import { browserPath } from '@recollect/browser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../start-proxy.js';
import { type OpenApp, openApp, openPage } from './open-app.js';

describe.skipIf(browserPath === undefined).each(['', '/recollect'])(
  'passkeys at "%s" (needs Chromium: apt-get install chromium)',
  (base) => {
    let app: OpenApp;
    /** The address of the deployment. Passkeys need a name. */
    let address: string;

    beforeAll(async () => {
      const port = await freePort();
      address = `http://localhost:${port}${base}`;
      app = await openApp({ port, policy: { auth: 'required', publicUrl: new URL(address) } });
    });
    afterAll(() => app?.close());

    const addAuthenticator = async (page: Page) => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('WebAuthn.enable');
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
        },
      });
    };
    const session = (page: Page) => page.evaluate(async (path) => (await fetch(path)).json(), `${base}/api/v1/session`);

    test('PPL-4, PPL-5: an invitation makes a passkey and a session, and the passkey signs in again', async () => {
      const { token, person } = await app.server.core.invitations.invite({ name: 'Ann', role: 'member' });
      await app.server.core.capture(person.id, [{ title: 'Mine', pageText: 'A memory of Ann.' }]);
      await app.server.core.capture('local', [{ title: 'Not mine', pageText: 'A memory of the owner.' }]);
      const { page } = await openPage(app.browser, address, '/highlights');
      await addAuthenticator(page);
      await page.goto(`${address}/#invite=${token}`);
      await page.getByText('Welcome, Ann').waitFor();
      expect(page.url()).toBe(`${address}/`);
      await page.getByRole('button', { name: 'Create a passkey' }).click();
      await page.getByRole('link', { name: 'Mine', exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'Not mine' }).count()).toBe(0);
      expect(await session(page)).toMatchObject({ scopes: ['admin'], hasAccounts: true });
      const { apiKeys } = await app.server.core.apiKeys.list(person.id);
      expect(apiKeys.map(({ name }) => name)).toEqual(['Passkey, Chrome on Linux']);

      await app.browser.context.clearCookies();
      await page.reload();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByRole('link', { name: 'Mine', exact: true }).waitFor();
      expect((await session(page)).scopes).toEqual(['admin']);

      // The pages about the deployment are for its operator.
      await page.goto(`${address}/settings/connect`);
      const pages = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
      await expect.poll(() => pages.allTextContents()).toEqual(MEMBER_PAGES);

      await app.server.core.people.change(person.id, { state: 'suspended' });
      await page.reload();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByRole('alert').getByText('may not use the deployment').waitFor();

      await page.goto(`${address}/#invite=${token}`);
      await page.getByRole('alert').getByText('wrong, used or expired').waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
      await page.close();
    });
  },
);

const MEMBER_PAGES = ['Connect', 'Import and export', 'Appearance', 'Plugins', 'Statistics', 'Privacy'];
