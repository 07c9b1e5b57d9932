import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, browserPath, openContext, serveOnly } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../start-test-server.js';
import { ARTICLE } from './sample-pages.js';

const SCREENSHOT_FOLDER = process.env.RECOLLECT_TEST_PICTURES;
let server: TestServer;
let browser: Browser;
const listed = async () => (await server.core.memories.list(LOCAL_USER)).memories;

/** Any browser, without the extension. */
async function open(options: Parameters<typeof startTestServer>[0] = {}): Promise<void> {
  [server, browser] = await Promise.all([startTestServer(options), openContext()]);
  // It may be enabled before anything outside of the page can ask.
  await browser.context.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      const wasLocked = document.querySelector('#save')?.matches(':disabled');
      Object.assign(window, { wasLocked });
    }),
  );
}

/** Opens a page with this HTML at an address, in its own tab. */
async function show(url: string, html: string): Promise<Page> {
  const page = await browser.context.newPage();
  await serveOnly(page, () => html);
  await page.goto(url);
  return page;
}

/** The code of the bookmarklet that the server's page offers. */
async function bookmark(): Promise<string> {
  const page = await browser.context.newPage();
  await page.goto(`${server.address}/save`);
  const address = await page.getByRole('link', { name: 'Save to Recollect' }).getAttribute('href');
  await page.close();
  return decodeURIComponent(address?.replace(/^javascript:/, '') ?? '');
}

/** Runs the bookmarklet on a page and returns the window that opens. */
async function press(page: Page): Promise<Page> {
  const code = await bookmark();
  await page.bringToFront();
  const opened = browser.context.waitForEvent('page');
  await page.evaluate(code);
  const window = await opened;
  await window.waitForLoadState();
  return window;
}

describe.skipIf(browserPath === undefined)('SEC-3: the bookmarklet (needs Chromium: apt-get install chromium)', () => {
  afterEach(async () => {
    await browser?.close();
    await server?.close();
  });

  test('opens our own page, which shows the content and saves it when the user confirms', async () => {
    await open();
    const page = await show('https://post.example/lamps', ARTICLE);
    const window = await press(page);
    await window.getByText('The lamps of Harrow Street', { exact: true }).waitFor();
    expect(new URL(window.url()).hash).toBe('');
    if (SCREENSHOT_FOLDER !== undefined)
      await writeFile(join(SCREENSHOT_FOLDER, 'bookmarklet.png'), await window.screenshot());
    expect(await listed()).toEqual([]);
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const violations = await window.evaluate(
      `(async () => { ${axe}; return (await axe.run()).violations.map(({ id }) => id) })()`,
    );
    expect(violations).toEqual([]);
    const tags = window.getByRole('combobox', { name: 'Tags' });
    await tags.fill('streets//old,');
    await window.getByRole('list', { name: 'Chosen tags' }).getByText('streets/old').waitFor();
    // A tag that is not finished is saved, as in the window of the extension.
    await tags.fill('city');
    await window.getByRole('button', { name: 'Save' }).click();
    await window.getByText('It is saved.').waitFor();
    const [memory] = await listed();
    expect(memory).toMatchObject({
      url: 'https://post.example/lamps',
      tags: ['streets/old', 'city'],
      captureMode: 'page',
    });
    const { text } = await server.core.memories.get(LOCAL_USER, memory?.id ?? '');
    expect(text).toContain('What comes instead');
    expect(text).not.toMatch(/Subscribe now|Advertisement/);
  });

  test('takes the selection, shows HTML-like text as text, and enables Save after a delay', async () => {
    await open();
    const page = await show(
      'https://post.example/x',
      '<p id="it">&lt;img src=x onerror=alert(1)&gt; is text</p><p>More',
    );
    await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('#it') ?? document.body));
    const window = await press(page);
    expect(await window.evaluate('wasLocked')).toBe(true);
    await window.getByText('<img src=x onerror=alert(1)> is text').waitFor();
    await window.getByRole('button', { name: 'Save' }).click();
    await window.getByText('It is saved.').waitFor();
    const [memory] = await listed();
    expect(memory).toMatchObject({ captureMode: 'selection', excerpt: 'is text' });
    const { text } = await server.core.memories.get(LOCAL_USER, memory?.id ?? '');
    expect(text).toBe('<img src=x onerror=alert(1)> is text');
  });

  test('takes the selection with its lists, links and tables, and of code its lines', async () => {
    await open();
    const page = await show(
      'https://post.example/x',
      `<div id="it"><h2>How to trim</h2><p>See <a href="/wicks">wicks</a>.</p><ul><li>Cut</li><li>Burn</li></ul>
      <table><tr><th>Oil</th><th>Hours</th></tr><tr><td>Whale</td><td>9</td></tr></table>
      <pre>trim\nlight</pre></div><p>More`,
    );
    await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('#it') ?? document.body));
    const window = await press(page);
    await window.getByRole('button', { name: 'Save' }).click();
    await window.getByText('It is saved.').waitFor();
    const [memory] = await listed();
    const { text } = await server.core.memories.get(LOCAL_USER, memory?.id ?? '');
    expect(text).toBe(
      '## How to trim\n\nSee [wicks](https://post.example/wicks).\n\n- Cut\n- Burn\n\n| Oil | Hours |\n| --- | --- |\n| Whale | 9 |\n\n```\ntrim\nlight\n```',
    );
    await page.evaluate(() => {
      const code = document.querySelector('pre')?.firstChild;
      if (code != null) getSelection()?.setBaseAndExtent(code, 0, code, 10);
    });
    const again = await press(page);
    await again.getByRole('button', { name: 'Save' }).click();
    await again.getByText('It is saved.').waitFor();
    const [code] = await listed();
    expect((await server.core.memories.get(LOCAL_USER, code?.id ?? '')).text).toBe('trim\nlight');
  });

  test('SYS-6: what another app shares with the installed app is saved into the inbox once the user confirms', async () => {
    await open();
    const window = await browser.context.newPage();
    const text = 'Worth reading https://post.example/lamps';
    await window.goto(`${server.address}/save?${new URLSearchParams({ title: 'Lamps', text })}`);
    await window.getByText('post.example · shared · 2 words').waitFor();
    expect(window.url()).toBe(`${server.address}/save`);
    expect(await listed()).toEqual([]);
    await window.getByRole('button', { name: 'Save' }).click();
    await window.getByText('It is saved.').waitFor();
    const [memory] = await listed();
    expect(memory).toMatchObject({ title: 'Lamps', url: 'https://post.example/lamps', excerpt: 'Worth reading' });
    const { savedBy } = await server.core.memories.get(LOCAL_USER, memory?.id ?? '');
    expect([savedBy, memory?.place]).toEqual([{ client: 'web', name: null, key: null }, 'inbox']);
  });

  test('asks for a key when one is required, and rejects invalid content', { tags: 'long' }, async () => {
    await open({ policy: { auth: 'required' } });
    const { key } = await server.core.apiKeys.create(LOCAL_USER);
    const window = await press(await show('https://post.example/lamps', ARTICLE));
    await window.getByRole('button', { name: 'Save' }).click();
    await window.getByText('An API key is required.').waitFor();
    await window.getByLabel('API key').fill(key);
    await window.getByRole('button', { name: 'Save' }).click();
    await window.getByText('It is saved.').waitFor();
    for (const content of ['nonsense', '%7B%7D', encodeURIComponent('{"url":"javascript:alert(1)","selection":"x"}')]) {
      await window.goto(`${server.address}/docs`);
      await window.goto(`${server.address}/save#${content}`);
      await window.getByRole('heading', { name: 'Save from any browser' }).waitFor();
    }
  });
});
