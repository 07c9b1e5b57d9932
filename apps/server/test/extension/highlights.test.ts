import { browserPath } from '@recollect/browser';
import { extensionOrigin } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Extension, openExtension } from './open-extension.js';
import { barText, clickBar, openOptions, PAGE, select, shownOn, switchOn } from './page-highlights.js';

describe.skipIf(browserPath === undefined)('highlights on web pages (need Chromium: apt-get install chromium)', () => {
  let extension: Extension;
  /** The paths of the requests of the extension to the server. */
  const asked: string[] = [];
  beforeAll(async () => {
    extension = await openExtension({ hasPageAccess: true });
    extension.context.on('request', (request) => {
      if (request.url().startsWith(extension.server.address) && request.serviceWorker() !== null)
        asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    await switchOn(extension.context);
  });
  beforeEach(() => {
    asked.length = 0;
  });
  afterAll(() => extension?.close());

  const listed = async () => (await extension.server.core.highlights.list(LOCAL_USER)).highlights;
  const saved = async (url: string) =>
    (await extension.server.core.memories.lookup(LOCAL_USER, [url])).found[0]?.id ?? null;
  const save = async (url: string, text = 'Lamps') => {
    const { answer } = await extension.server.core.capture(LOCAL_USER, [{ url, title: 'Lamps', pageText: text }]);
    return answer.captures[0]?.id ?? '';
  };
  const mark = (id: string, quote: string, around: object = {}) =>
    extension.server.core.highlights.create(LOCAL_USER, id, { quote, ...around });
  const shown = (page: Page) => expect.poll(() => shownOn(page));
  const said = (page: Page) => expect.poll(() => barText(page));

  test('EXT-10: saves the page and the highlight, shows it without a change of the page, and on the next visit', async () => {
    const url = 'https://post.example/first';
    const page = await extension.show(url, PAGE);
    const before = await page.evaluate('document.body.outerHTML');
    await select(page, '#first');
    await said(page).toBe('Highlighth');
    await page.keyboard.press('h');
    await said(page).toContain('Highlighted.');
    const quote = 'Paraffin burns brighter than colza oil, but its lamps smell.';
    await shown(page).toEqual({ 'recollect-yellow': [quote] });
    expect(await page.evaluate('document.body.outerHTML')).toBe(before);
    expect(await page.evaluate('getSelection().isCollapsed')).toBe(true);
    const memoryId = await saved(url);
    expect(await listed()).toMatchObject([
      { memoryId, quote, colour: 'yellow', suffix: expect.stringMatching(/^ In/) },
    ]);
    // The bar does not belong to the page.
    const { text } = await extension.server.core.memories.get(LOCAL_USER, memoryId ?? '');
    expect(text).toContain('In the harbour');
    expect(text).not.toContain('Highlight');

    asked.length = 0;
    await page.reload();
    await shown(page).toEqual({ 'recollect-yellow': [quote] });
    expect(asked).toEqual(['POST /api/v1/memories/lookup']);
    const [red, green, blue] = await page.evaluate(() => {
      const { backgroundColor } = getComputedStyle(document.body, '::highlight(recollect-yellow)');
      return (backgroundColor.match(/\d+/g) ?? []).map(Number);
    });
    expect([red, green, blue]).toEqual([255, 226, 138]);
    await page.close();
  });

  test('EXT-10: finds a passage that occurs twice by the text around it, and takes a highlight back', async () => {
    const url = 'https://post.example/twice';
    await save(url);
    const page = await extension.show(url, PAGE);
    await select(page, '#third', 'It burns all night.');
    await said(page).toBe('Highlighth');
    await clickBar(page);
    await said(page).toContain('Highlighted.');
    const place = `(() => {
        const [range] = CSS.highlights.get('recollect-yellow') ?? [];
        return range?.startContainer.parentElement.id;
      })()`;
    await expect.poll(() => page.evaluate(place)).toBe('third');
    await page.reload();
    await expect.poll(() => page.evaluate(place)).toBe('third');
    const { length } = await listed();
    await select(page, '#second', 'It burns all night.');
    await page.keyboard.press('h');
    await said(page).toMatch(/^Highlighted\.Undo/);
    expect(await listed()).toHaveLength(length + 1);
    await clickBar(page, 'end');
    await expect.poll(listed).toHaveLength(length);
    await shown(page).toEqual({ 'recollect-yellow': ['It burns all night.'] });
    expect(await page.evaluate(place)).toBe('third');
    await page.close();
  });

  test('EXT-10: the key does nothing in fields, with modifiers, repeated, or when a script presses it', async () => {
    const url = 'https://post.example/keys';
    const id = await save(url);
    const page = await extension.show(url, PAGE);
    await page.evaluate(() => {
      globalThis.addEventListener('keydown', ({ key }) =>
        document.body.setAttribute('data-keys', `${document.body.getAttribute('data-keys') ?? ''}${key}`),
      );
    });
    const { length } = await listed();
    await page.keyboard.press('h');
    await page.locator('#field').selectText();
    await page.keyboard.press('h');
    await page.locator('#editor').selectText();
    await page.keyboard.press('h');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await select(page, '#first');
    for (const keys of ['Control+h', 'Alt+h', 'Meta+h', 'Shift+H']) await page.keyboard.press(keys);
    await page.evaluate(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'h', bubbles: true })));
    const session = await page.context().newCDPSession(page);
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'h', windowsVirtualKeyCode: 229 });
    await page.locator('#field').focus();
    expect(await page.inputValue('#field')).toBe('h');
    expect(await page.locator('#editor').textContent()).toBe('h');
    // Each of them reached the page.
    const keys = `document.body.getAttribute('data-keys').replace(/Control|Alt|Meta|Shift/g, '')`;
    expect(await page.evaluate(keys)).toBe('hhhhhhHhh');
    expect(await listed()).toHaveLength(length);
    // With nothing else in the way, it highlights, and the page does not get the key.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await select(page, '#first');
    await page.keyboard.press('h');
    await expect.poll(listed).toHaveLength(length + 1);
    expect((await listed())[0]?.memoryId).toBe(id);
    expect(await page.evaluate(keys)).toBe('hhhhhhHhh');
    await page.close();
  });

  test('EXT-10: says that the server is off, keeps the selection, and highlights once it runs', async () => {
    const url = 'https://post.example/off';
    await save(url);
    const page = await extension.show(url, PAGE);
    await select(page, '#first');
    await extension.server.stopListening();
    await page.keyboard.press('h');
    await said(page).toContain('Recollect does not answer. Start it, then press h again');
    expect(await page.evaluate('getSelection().toString()')).toContain('Paraffin');
    await extension.server.listenAgain();
    await page.keyboard.press('h');
    await said(page).toContain('Highlighted.');
    await page.close();
  });

  test('EXT-10: shows the highlights of the address that a page changes to', async () => {
    const [one, two] = ['https://app.example/one', 'https://app.example/two'];
    await mark(await save(one, 'One'), 'the light is white');
    await mark(await save(two, 'Two'), 'Read me later');
    const page = await extension.show(one, PAGE);
    await shown(page).toEqual({ 'recollect-yellow': ['the light is white'] });
    await page.evaluate(() => {
      history.pushState(null, '', '/two');
      // An app draws later than it changes the address.
      setTimeout(() => {
        document.querySelector('article')?.replaceChildren('Here it says: Read me later, please.');
      }, 300);
    });
    await shown(page).toEqual({ 'recollect-yellow': ['Read me later'] });
    await page.evaluate(() => {
      document.querySelector('article')?.replaceChildren('Drawn again: Read me later.');
    });
    await shown(page).toEqual({ 'recollect-yellow': ['Read me later'] });
    asked.length = 0;
    await page.evaluate(() => {
      location.hash = 'part';
    });
    await page.evaluate(() => history.pushState(null, '', '/three'));
    await shown(page).toEqual({});
    await expect.poll(() => asked).toEqual(['POST /api/v1/memories/lookup']);
    await page.close();
  });

  test('EXT-10: leaves out passages that are gone, finds changed ones, and shows five hundred at once', async () => {
    const url = 'https://post.example/many';
    const id = await save(url, 'Many');
    await mark(id, 'No page has these words any more, whatever was here.');
    await mark(id, 'Parafin burned brighter than colza oil', {});
    const lines = Array.from({ length: 500 }, (_, at) => `Line ${at} names lamp ${at * 7}.`);
    for (const line of lines) await mark(id, line);
    const page = await extension.show(
      url,
      PAGE.replace('</article>', `${lines.map((line) => `<p>${line}</p>`).join('')}</article>`),
    );
    const count = `CSS.highlights.get('recollect-yellow')?.size`;
    await expect.poll(() => page.evaluate(count)).toBe(501);
    const texts = (await shownOn(page))['recollect-yellow'] ?? [];
    expect(texts).toEqual(expect.arrayContaining([...lines, expect.stringMatching(/^Paraffin burns brighter/)]));
    await page.close();
  });

  test('EXT-10: asks nothing about the web app and in frames, and does not run on other pages', async () => {
    const framed = 'https://frame.example/inner';
    await mark(await save(framed, 'Framed'), 'inner text');
    const page = await extension.show('https://post.example/frames', `${PAGE}<iframe srcdoc="inner text"></iframe>`);
    await page.waitForLoadState('load');
    await expect.poll(() => asked).toEqual(['POST /api/v1/memories/lookup']);
    await page.goto(`${extension.server.address}/docs`);
    await select(page, 'main');
    await page.goto('about:blank');
    expect(asked.filter((path) => path.endsWith('lookup'))).toHaveLength(1);
    await page.close();
  });

  test('EXT-10: the script on a page learns only about its origin, and reads nothing that is stored', async () => {
    const url = 'https://post.example/origin';
    await save(url);
    const page = await extension.show(url, PAGE);
    await expect.poll(() => asked).toHaveLength(1);
    const session = await page.context().newCDPSession(page);
    const own = new Promise<number>((resolve) =>
      session.on('Runtime.executionContextCreated', ({ context }) => {
        if (context.origin === extensionOrigin) resolve(context.id);
      }),
    );
    await session.send('Runtime.enable');
    const contextId = await own;
    const run = async (expression: string) => {
      const given = { expression, contextId, awaitPromise: true, returnByValue: true };
      return (await session.send('Runtime.evaluate', given)).result.value;
    };
    const find = (address: string) => run(`chrome.runtime.sendMessage({ type: 'find', url: '${address}' })`);
    expect(await find(`${url}?page=2`)).toEqual({ highlights: [], problem: null });
    expect(await find('https://other.example/')).toBeNull();
    expect(await find('no address')).toBeNull();
    expect(await run(`chrome.storage.local.get(null).then(() => 'read', () => 'denied')`)).toBe('denied');
    await page.close();
  });

  test('EXT-10: is off until it is switched on, and switching it off removes everything', async () => {
    const url = 'https://post.example/switch';
    await mark(await save(url, 'Switch'), 'the light is red');
    const page = await extension.show(url, PAGE);
    await shown(page).toEqual({ 'recollect-yellow': ['the light is red'] });
    await select(page, '#first');
    await said(page).toBe('Highlighth');

    const options = await openOptions(extension.context, { isGranted: false });
    const control = options.getByRole('switch', { name: 'Highlight on web pages' });
    await expect.poll(() => control.isChecked()).toBe(true);
    const scripts = () => options.evaluate('chrome.scripting.getRegisteredContentScripts()');
    expect(await scripts()).toMatchObject([{ js: ['highlights.js'], css: ['highlights.css'], allFrames: false }]);
    await control.click();
    await expect.poll(scripts).toEqual([]);
    await expect.poll(() => options.evaluate('globalThis.removed')).toEqual(['http://*/*', 'https://*/*']);
    await shown(page).toEqual({});
    await said(page).toBe('');
    await page.keyboard.press('h');
    await page.reload();
    expect(await options.evaluate('chrome.storage.local.get("on:highlights")')).toEqual({});

    // The user declines.
    await control.click();
    await options.getByText('The browser did not give the permission, so this stays off.').waitFor();
    expect(await control.isChecked()).toBe(false);
    expect(await scripts()).toEqual([]);
    await options.close();
    expect(await shownOn(page)).toEqual({});

    // The settings of the browser take the permission back.
    await switchOn(extension.context);
    await page.reload();
    await shown(page).toEqual({ 'recollect-yellow': ['the light is red'] });
    const [worker] = extension.context.serviceWorkers();
    await worker?.evaluate(`(() => {
        Object.assign(chrome.permissions, { contains: async () => false });
        chrome.permissions.onRemoved.dispatch({ origins: ['http://*/*', 'https://*/*'] });
      })()`);
    await shown(page).toEqual({});
    await expect.poll(async () => worker?.evaluate('chrome.scripting.getRegisteredContentScripts()')).toEqual([]);
    await page.close();
  });

  test('EXT-10: the options say so where a browser cannot mark text', async () => {
    const options = await extension.context.newPage();
    await options.addInitScript('delete CSS.__proto__.highlights; delete CSS.highlights;');
    await options.goto(`${extensionOrigin}/options.html`);
    await options.getByText('This browser cannot show highlights on pages').waitFor();
    const control = options.getByRole('switch', { name: 'Highlight on web pages' });
    expect(await control.isDisabled()).toBe(true);
    await options.close();
  });
});
