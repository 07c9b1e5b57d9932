import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCAL_USER } from '@recollect/core';
import { createStoreArchive } from '@recollect/extension/archive';
import { describe, expect, test } from 'vitest';
import { startTestServer } from '../start-test-server.js';
import { firefoxPath, openFirefox } from './open-firefox.js';

const ID = 'recollect-everywhere-store@recollect.local';
const ARTICLE = `<!doctype html><title>Piece</title><article><h1>Piece</h1><p>${'What it says. '.repeat(20)}</p></article>`;

describe.skipIf(firefoxPath === undefined)('Firefox (needs Firefox: apt-get install firefox-esr)', () => {
  test('EXT-8: pairs the extension of the store, and saves a page by its shortcut', async () => {
    // Where this computer needs no key, the extension does.
    const server = await startTestServer();
    const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(ARTICLE));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const folder = await mkdtemp(join(tmpdir(), 'recollect-firefox-store-'));
    const archive = join(folder, 'firefox.zip');
    await writeFile(archive, await createStoreArchive({ version: '0.1.0', browser: 'firefox' }));
    const firefox = await openFirefox(archive, ID);
    try {
      const connecting = await firefox.open(`${firefox.origin}/connect.html`);
      const shown = (tab: string) => firefox.evaluate<string>(tab, 'document.body.innerText');
      await expect.poll(() => shown(connecting)).toContain('Link or address');
      const { code } = await server.core.pairings.create(LOCAL_USER);
      const link = `${server.address}/#pair=${code}`;
      await firefox.evaluate(
        connecting,
        `(() => {
          const field = document.querySelector('input');
          field.value = ${JSON.stringify(link)};
          field.dispatchEvent(new Event('input', { bubbles: true }));
        })()`,
      );
      const isReady = `document.querySelector('button[type=submit]:enabled') !== null`;
      await expect.poll(() => firefox.evaluate(connecting, isReady)).toBe(true);
      // Firefox asks for a permission only while it handles an input.
      await firefox.click(connecting, 'button[type=submit]');
      await expect.poll(() => shown(connecting)).toContain(`Connected to ${new URL(server.address).host}`);
      expect(await firefox.evaluate(connecting, 'browser.permissions.getAll().then(({ origins }) => origins)')).toEqual(
        ['http://127.0.0.1/*'],
      );

      const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/piece`;
      await firefox.open(url);
      // Presses the shortcut that saves.
      await firefox.evaluateInBrowser(`(() => {
        const { extension } = WebExtensionPolicy.getByID(${JSON.stringify(ID)});
        const keys = [...document.querySelectorAll('keyset[id^=ext-keyset] key')];
        keys.find((key) => key.getAttribute('key') === 'S').doCommand();
        return extension.id;
      })()`);
      const listed = async () => (await server.core.memories.list(LOCAL_USER, { limit: 10 })).memories;
      await expect.poll(listed).toMatchObject([{ url, title: 'Piece' }]);
      const [memory] = await listed();
      const { savedBy, text } = await server.core.memories.get(LOCAL_USER, memory?.id ?? '');
      expect(savedBy?.key).toMatch(/^Extension in Firefox, paired /);
      expect(text).toContain('What it says.');
    } finally {
      await firefox.close();
      site.close();
      await server.close();
      await rm(folder, { recursive: true });
    }
  });

  test('EXT-10: highlights on a page, and shows the highlight on the next visit', async () => {
    const server = await startTestServer();
    const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(ARTICLE));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const folder = await mkdtemp(join(tmpdir(), 'recollect-firefox-highlights-'));
    const archive = join(folder, 'firefox.zip');
    await writeFile(archive, await createStoreArchive({ version: '0.1.0', browser: 'firefox' }));
    const firefox = await openFirefox(archive, ID);
    try {
      const options = await firefox.open(`${firefox.origin}/connect.html`);
      const shown = () => firefox.evaluate<string>(options, 'document.body.innerText');
      await expect.poll(shown).toContain('Link or address');
      // The key of a code only saves and reads.
      const { key } = await server.core.apiKeys.create(LOCAL_USER, {
        scopes: ['capture:write', 'memory:read', 'memory:write'],
      });
      const typed = JSON.stringify([server.address, key]);
      await firefox.evaluate(
        options,
        `[...document.querySelectorAll('input')].forEach((field, at) => {
          field.value = ${typed}[at];
          field.dispatchEvent(new Event('input', { bubbles: true }));
        })`,
      );
      const isReady = `document.querySelector('button[type=submit]:enabled') !== null`;
      await expect.poll(() => firefox.evaluate(options, isReady)).toBe(true);
      await firefox.click(options, 'button[type=submit]');
      await expect.poll(shown).toContain(`Connected to ${new URL(server.address).host}`);
      await expect
        .poll(() => firefox.evaluate(options, `document.querySelector('[role=switch]:enabled') !== null`))
        .toBe(true);
      await firefox.click(options, '[role=switch]');
      await expect.poll(shown).toContain('On. Reload pages that are already open.');

      const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/piece`;
      const page = await firefox.open(url);
      await firefox.evaluate(page, `getSelection().selectAllChildren(document.querySelector('h1'))`);
      await expect
        .poll(() => firefox.evaluate(page, `document.querySelector('recollect-highlighter') !== null`))
        .toBe(true);
      await firefox.press(page, 'h');
      const marked = (tab: string) =>
        firefox.evaluate(tab, `[...CSS.highlights].map(([name, { size }]) => [name, size])`);
      await expect.poll(() => marked(page)).toEqual([['recollect-yellow', 1]]);
      expect((await server.core.highlights.list(LOCAL_USER)).highlights).toMatchObject([{ quote: 'Piece', url }]);
      const again = await firefox.open(url);
      await expect.poll(() => marked(again)).toEqual([['recollect-yellow', 1]]);
    } finally {
      await firefox.close();
      site.close();
      await server.close();
      await rm(folder, { recursive: true });
    }
  });
});
