import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenApp, openApp, openPage } from './open-app.js';

describe.skipIf(browserPath === undefined)(
  'SYS-12: connecting a phone (needs Chromium: apt-get install chromium)',
  () => {
    let app: OpenApp;
    let owner: Page;
    let phoneOrigin = '';

    /** Opens an address on the phone: another host name of the server, which has other cookies. */
    const openOnPhone = async (path: string) => (await openPage(app.browser, phoneOrigin, path)).page;
    const forgetPhone = () => app.browser.context.clearCookies({ domain: 'localhost' });
    const card = (name: string) => owner.getByRole('region', { name });
    const code = () => owner.locator('.pairing-code');
    const createCode = async (name: string) => {
      await card('Connect a phone').getByRole('button', { name }).click();
      return code().innerText();
    };

    beforeAll(async () => {
      app = await openApp({ policy: { auth: 'required', publicUrl: new URL('http://recollect.example') } });
      phoneOrigin = app.server.address.replace('127.0.0.1', 'localhost');
      await app.save({ title: 'Green tea', pageText: 'Green tea is best steeped below boiling.' });
      const { key } = await app.server.core.apiKeys.create(LOCAL_USER, { name: 'desk', scopes: ['admin'] });
      owner = (await app.open('/settings/connect')).page;
      await owner.getByLabel('Code or API key').fill(key);
      await owner.getByRole('button', { name: 'Sign in' }).click();
      await owner.getByRole('heading', { name: 'Connect a phone' }).waitFor();
    });
    afterAll(() => app?.close());

    test('SYS-12: the link of a code opens a session that saves and reads, and leaves no code behind', async () => {
      const typed = await createCode('Create a code');
      await owner.getByText(`http://recollect.example/#pair=${typed}`).waitFor();
      await owner.getByText('Valid once, for 10 minutes.').waitFor();
      const drawing = owner.getByRole('img', { name: 'QR code of the link' }).locator('path');
      await expect.poll(() => drawing.getAttribute('d')).toMatch(/^M\d/);

      const phone = await openOnPhone(`/#pair=${typed}`);
      await phone.getByRole('link', { name: 'Green tea' }).waitFor();
      await phone.getByRole('status').getByText('This browser is connected.').waitFor();
      expect(phone.url()).toBe(`${phoneOrigin}/`);
      await phone.reload();
      await phone.getByRole('link', { name: 'Green tea' }).waitFor();
      const session = await phone.evaluate(async () => (await fetch('/api/v1/session')).json());
      expect(session.scopes).toEqual(['capture:write', 'memory:read']);
      // Another app of the phone shares a link with the installed app.
      await phone.goto(`${phoneOrigin}/save?${new URLSearchParams({ text: 'https://soups.example/leek' })}`);
      await phone.getByRole('button', { name: 'Save' }).click();
      await phone.getByText('It is saved.').waitFor();
      await phone.goto(phoneOrigin);

      const name = /Chrome on Linux, paired \d/;
      await owner
        .getByRole('status')
        .getByText(/^Connected: /)
        .filter({ hasText: name })
        .waitFor();
      expect(await code().count()).toBe(0);
      const row = owner.getByRole('list', { name: 'API keys' }).getByRole('listitem').filter({ hasText: name });
      await row.getByText('Can read and save.').waitFor();
      await row.getByRole('button', { name: /^Revoke/ }).click();
      await owner.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await row.waitFor({ state: 'detached' });
      await phone.reload();
      await phone.getByRole('dialog', { name: 'Sign in' }).waitFor();
      await phone.close();
    });

    test('SYS-12: a code is typed instead, and a wrong one says what to do', async () => {
      const typed = await createCode('Create another code');
      await forgetPhone();
      const phone = await openOnPhone('/#pair=AAAA-AAAA-AAAA');
      await phone.getByRole('alert').getByText('The code is wrong, used or expired.').waitFor();
      expect(phone.url()).toBe(`${phoneOrigin}/`);
      const field = phone.getByLabel('Code or API key');
      expect(await field.inputValue()).toBe('AAAA-AAAA-AAAA');
      await field.fill(typed.toLowerCase().replaceAll('-', ' '));
      await field.press('Enter');
      await phone.getByRole('link', { name: 'Green tea' }).waitFor();
      await phone.close();
    });

    test('SYS-12: a browser that is connected keeps its session and uses no code', async () => {
      const { code: unused, pairing } = await app.server.core.pairings.create(LOCAL_USER);
      await owner.goto(`${app.server.address}/settings/connect#pair=${unused}`);
      await owner.getByRole('status').getByText('This browser is connected already.').waitFor();
      expect(owner.url()).toBe(`${app.server.address}/settings/connect`);
      expect((await app.server.core.pairings.state(LOCAL_USER, pairing.id)).apiKey).toBeNull();
      await owner.getByRole('list', { name: 'API keys' }).getByText('desk').waitFor();
    });

    test('SYS-12: says when a code has expired', async () => {
      await owner.clock.install();
      await owner.reload();
      await createCode('Create a code');
      await owner.clock.runFor('09:30');
      await owner.getByText('Valid once, for 1 minute.').waitFor();
      await owner.clock.runFor('00:31');
      await owner.getByRole('status').getByText('The code has expired.').waitFor();
      expect(await code().count()).toBe(0);
    });

    test('SYS-13: installs the app when the browser offers it, and otherwise says how', async () => {
      const install = card('Install the app');
      await install.getByText('In the menu of the browser, choose Install').waitFor();
      await owner.evaluate(() => {
        const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
          prompt: async () => document.body.setAttribute('data-asked', ''),
        });
        dispatchEvent(offer);
        document.body.setAttribute('data-kept', String(offer.defaultPrevented));
      });
      await install.getByRole('button', { name: 'Install' }).click();
      await owner.locator('body[data-asked][data-kept=true]').waitFor();
      await install.getByRole('button').waitFor({ state: 'detached' });
    });

    test('SYS-13: Chromium finds nothing in the manifest that prevents the installation', async () => {
      const session = await app.browser.context.newCDPSession(owner);
      const { errors, data } = await session.send('Page.getAppManifest');
      const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
      expect([errors, installabilityErrors]).toEqual([[], []]);
      const { icons, share_target, ...manifest } = JSON.parse(data ?? '');
      expect(manifest).toMatchObject({ name: 'Recollect', short_name: 'Recollect', display: 'standalone' });
      expect(icons.map(({ sizes, purpose = 'any' }: Record<string, string>) => `${sizes} ${purpose}`)).toEqual(
        expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
      );
      expect(share_target).toMatchObject({ action: '/save', method: 'GET' });
    });
  },
);
