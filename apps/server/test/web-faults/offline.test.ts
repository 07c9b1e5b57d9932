import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, browserPath, openContext } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openNote, replaceText, typedIn } from '../open-note.js';
import { startTestServer, type TestServer } from '../start-test-server.js';

describe.skipIf(browserPath === undefined)('the service worker (needs Chromium: apt-get install chromium)', () => {
  let folder: string;
  let browser: Browser;
  let server: TestServer;
  let page: Page;
  let id = '';

  const start = async (port = 0) => {
    server = await startTestServer({ url: `sqlite:${join(folder, 'recollect.db')}`, port });
  };
  const title = (name: string) => page.getByRole('link', { name });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recollect-offline-'));
    [browser] = await Promise.all([openContext({ serviceWorkers: 'allow' }), start()]);
    const { answer } = await server.core.capture(LOCAL_USER, [{ title: 'Green tea', pageText: 'Secret of the leaf.' }]);
    id = answer.captures[0]?.id ?? '';
    page = await browser.context.newPage();
    await page.goto(`${server.address}/everything`);
    await title('Green tea').waitFor();
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await page.reload();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('SYS-6: keeps the page and its files, and nothing that was saved', async () => {
    const kept = await page.evaluate(async () => {
      const texts: [string, string][] = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys())
          texts.push([new URL(request.url).pathname, (await (await cache.match(request))?.text()) ?? '']);
      }
      return texts;
    });
    expect(kept.map(([path]) => path)).toEqual(
      expect.arrayContaining(['/', expect.stringMatching(/^\/assets\/first-.*\.js$/)]),
    );
    for (const [path, text] of kept) {
      expect(path).toMatch(/^\/(?:assets\/[\w.-]+)?$/);
      expect(text).not.toContain('Green tea');
    }
  });

  test('SYS-6: while the server answers, every page comes from it, and another site cannot make a reader load images', async () => {
    const address = `${server.address}/memory/${id}?images=show`;
    const policyOf = async (open: () => Promise<unknown>) => {
      const answered = page.waitForResponse((response) => response.url().includes(`/memory/${id}`));
      await open();
      await page.waitForURL(address);
      return (await (await answered).allHeaders())['content-security-policy'];
    };
    expect(await policyOf(() => page.goto(address))).toContain("img-src 'self' data:;");
    // The same server at another name is another site.
    await page.goto(`http://localhost:${server.port}/docs`);
    const fromElsewhere = await policyOf(() =>
      page.evaluate((to) => {
        location.href = to;
      }, address),
    );
    expect(fromElsewhere).toContain("img-src 'self' data:;");
  });

  test('shows the app and the draft of a note when the server is off, and recovers', async () => {
    await server.core.savedSearches.create(LOCAL_USER, { name: 'Of leaves', query: 'leaf' });
    await page.goto(`${server.address}/everything`);
    await title('Green tea').waitFor();
    await page.keyboard.press('n');
    await replaceText(page.getByLabel('Text, in Markdown'), 'Steep it below boiling.');
    const { port } = server;
    await server.close();

    for (const path of ['/', '/tags', `/memory/${id}`]) {
      await page.goto(server.address + path);
      const banner = page.getByRole('alert').filter({ hasText: 'Can’t reach Recollect. Retrying…' });
      await banner.waitFor();
      // One message is enough.
      expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(1);
      await openNote(page);
      expect(await typedIn(page.getByLabel('Text, in Markdown'))).toBe('Steep it below boiling.');
      await page.keyboard.press('Escape');
    }
    await page.goto(`${server.address}/everything`);
    await page.getByRole('alert').filter({ hasText: 'Can’t reach Recollect' }).waitFor();

    await start(port);
    await title('Green tea').waitFor();
    await title('Of leaves').first().waitFor();
    await openNote(page);
    await page.getByRole('button', { name: 'Save note' }).click();
    await title('Steep it below boiling.').waitFor();
  });
});
