import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, browserPath, openBrowser } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import { createStoreArchive } from '@recollect/extension/archive';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../start-test-server.js';
import { pressButton } from './press-button.js';

const ARTICLE = `<article><h1>Piece</h1><p>${'What it says. '.repeat(20)}</p></article>`;

describe.skipIf(browserPath === undefined)(
  'the extension of a store (needs Chromium: apt-get install chromium)',
  () => {
    let server: TestServer;
    let browser: Browser;
    let folder: string;
    beforeAll(async () => {
      server = await startTestServer({ policy: { auth: 'required' } });
      folder = await mkdtemp(join(tmpdir(), 'recollect-store-'));
      const files = unzipSync(await createStoreArchive({ version: '0.1.0', browser: 'chromium' }));
      for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
      // No test can answer Chromium's question for a permission.
      const manifest = JSON.parse(new TextDecoder().decode(files['manifest.json']));
      const host_permissions = [`${server.address}/*`];
      await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, host_permissions }));
      browser = await openBrowser({ extensions: [folder] });
    });
    afterAll(async () => {
      await browser?.close();
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    });

    test('EXT-8, KEY-4: asks for a link, gets a key for its code, saves a page, and disconnects', async () => {
      const { context } = browser;
      const { core, address } = server;
      const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
      const origin = `chrome-extension://${new URL(worker.url()).host}`;
      await context.route('https://post.example/**', (route) =>
        route.fulfill({ contentType: 'text/html; charset=utf-8', body: ARTICLE }),
      );
      const article = await context.newPage();
      await article.goto('https://post.example/1');
      const first = await pressButton(context, article, origin);
      await first.until(`document.body.innerText.includes('Connect the extension to your Recollect')`);
      const opened = context.waitForEvent('page');
      await first.press('Connect');
      const page = await opened;
      expect(page.url()).toBe(`${origin}/connect.html`);

      await page.evaluate(`Object.assign(chrome.permissions, {
      request: async ({ origins }) => { globalThis.requested = origins; return true; },
      remove: async ({ origins }) => { globalThis.removed = origins; return true; },
    })`);
      const field = page.getByLabel('Link or address');
      const connect = page.getByRole('button', { name: 'Connect' });
      const enter = async (text: string) => {
        await field.fill(text);
        await connect.click();
      };
      await enter('http://127.0.0.1:1/#pair=AAAA-AAAA-AAAA');
      await page.getByRole('alert').getByText('No Recollect answers at 127.0.0.1:1.').waitFor();
      await enter(`${address}/#pair=AAAA-AAAA-AAAA`);
      await page.getByRole('alert').getByText('The code is wrong, used or expired.').waitFor();
      expect(await page.evaluate('chrome.storage.local.get(null)')).toEqual({});
      const { code } = await core.pairings.create(LOCAL_USER);
      await enter(`${address}/#pair=${code}`);
      await page.getByText(`Connected to ${new URL(address).host}`).waitFor();
      expect(await page.evaluate('requested')).toEqual([`${address}/*`]);

      const popup = await pressButton(context, article, origin);
      await popup.until(`document.querySelector('.connection.connected') !== null`);
      await popup.press('Save');
      await popup.status(/saved/);
      const { memories } = await core.memories.list(LOCAL_USER, { limit: 10 });
      expect(memories).toMatchObject([{ url: 'https://post.example/1' }]);
      const { savedBy } = await core.memories.get(LOCAL_USER, memories[0]?.id ?? '');
      expect(savedBy).toMatchObject({
        client: 'extension',
        key: expect.stringMatching(/^Extension in Chrome, paired /),
      });
      await popup.close();

      await page.getByRole('button', { name: 'Disconnect' }).click();
      await field.waitFor();
      await expect.poll(() => page.evaluate('globalThis.removed')).toEqual([`${address}/*`]);
      expect(await page.evaluate('chrome.storage.local.get(["setup", "apiKey"])')).toEqual({});

      // An API key in place of a code, which can have more scopes.
      const { key } = await core.apiKeys.create(LOCAL_USER, {
        scopes: ['capture:write', 'memory:read', 'memory:write'],
      });
      const given = page.getByLabel('Code or API key');
      await given.fill(`${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`);
      await enter(address);
      await page.getByRole('alert').getByText('The API key is invalid').waitFor();
      expect(await page.evaluate('chrome.storage.local.get(["setup", "apiKey"])')).toEqual({});
      await given.fill(key);
      await connect.click();
      await page.getByText(`Connected to ${new URL(address).host}`).waitFor();
      expect(await page.evaluate('chrome.storage.local.get("apiKey")')).toEqual({ apiKey: key });
    });
  },
);
