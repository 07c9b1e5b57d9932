import { browserPath } from '@recollect/browser';
import { type Core, LOCAL_USER } from '@recollect/core';
import type { Worker } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { type Extension, openExtension } from './open-extension.js';
import { ARTICLE, conversationPage } from './sample-pages.js';

describe.skipIf(browserPath === undefined)(
  'the service worker of the extension (needs Chromium: apt-get install chromium)',
  () => {
    let extension: Extension;
    afterEach(() => extension?.close());

    const listed = async () => (await extension.server.core.memories.list(LOCAL_USER, { limit: 100 })).memories;
    const worker = async (): Promise<Worker> =>
      extension.context.serviceWorkers()[0] ?? extension.context.waitForEvent('serviceworker');
    const waiting = async () =>
      (await worker()).evaluate<string[]>('chrome.storage.local.get(null).then((all) => Object.keys(all))');

    /** Presses the shortcut in the active tab. The protocol cannot press keys of the browser itself. */
    async function pressShortcut(): Promise<void> {
      await (await worker()).evaluate(`chrome.tabs.query({ active: true, currentWindow: true })
        .then(([tab]) => chrome.commands.onCommand.dispatch('save', tab))`);
    }
    /** The tooltip of the toolbar button, once its sign is one of these. */
    async function badge(...signs: string[]): Promise<string> {
      const active = 'chrome.tabs.query({ active: true, currentWindow: true })';
      const read = `${active}.then(([{ id: tabId }]) =>
        Promise.all([chrome.action.getBadgeText({ tabId }), chrome.action.getTitle({ tabId })]))`;
      let title = '';
      await expect
        .poll(async () => {
          const [text = '', shown = ''] = await (await worker()).evaluate<string[]>(read);
          title = shown;
          return signs.includes(text);
        })
        .toBe(true);
      return title;
    }

    test('EXT-5: the shortcut saves the page with the typed fields, and shows the result on the button', async () => {
      extension = await openExtension();
      const page = await extension.show('https://post.example/lamps', ARTICLE);
      // Opening the window permits reading the page, as pressing the shortcut does.
      const popup = await extension.press(page);
      await popup.until(`document.body.innerText.includes('For ninety years')`);
      const { shortcut } = await popup.evaluate<{ shortcut: string }>(
        `chrome.commands.getAll().then((all) => all.find(({ name }) => name === 'save'))`,
      );
      expect(shortcut).toBe('Alt+Shift+S');
      await popup.until(`document.querySelector('.shortcut kbd')?.textContent === 'Alt+Shift+S'`);
      await popup.focus('#tags');
      await popup.type('city');
      const draft = 'draft:https://post.example/lamps';
      await popup.until(`chrome.storage.session.get('${draft}').then((all) => all['${draft}'].tags === 'city')`);
      await popup.close();
      await page.bringToFront();
      await pressShortcut();
      // The sign is there for four seconds, which may be too short for a busy machine, and the tooltip stays.
      await expect.poll(() => badge('✓', '')).toMatch(/^Page saved, \d+ words\.$/);
      expect(await listed()).toMatchObject([{ title: 'The lamps of Harrow Street', tags: ['city'] }]);
      expect(await waiting()).toEqual([]);
      const again = await extension.press(page);
      await again.until(`document.body.innerText.includes('Saved ')`);
      expect(await again.evaluate(`document.querySelector('#tags').value`)).toBe('');
    });

    test('EXT-5: the shortcut waits for an answer that is being written, and keeps one of a million characters', {
      tags: 'long',
    }, async () => {
      extension = await openExtension();
      const page = await extension.show('https://chatgpt.com/c/long', conversationPage(4, { isStreaming: true }));
      const popup = await extension.press(page);
      await popup.until(`document.body.innerText.includes('The last answer is still being written')`);
      await popup.close();
      await page.bringToFront();
      await pressShortcut();
      await expect.poll(() => badge('…')).toBe('Waiting until the answer is written …');
      await expect.poll(waiting).toHaveLength(1);
      await page.evaluate(() => {
        const last = document.querySelector('article:last-of-type .markdown p');
        last?.append(` ${'It says one thing again and again. '.repeat(32_000)}And this is its end.`);
        document.querySelector('[data-testid="stop-button"]')?.remove();
      });
      expect(await badge('✓')).toMatch(/^Conversation saved/);
      const [memory] = await listed();
      expect((await extension.server.core.memories.get(LOCAL_USER, memory?.id ?? '')).text).toContain(
        'And this is its end.',
      );
      expect(await waiting()).toEqual([]);
    });

    test('EXT-5: the shortcut says why nothing is saved, and keeps a capture while the server is off', {
      tags: 'long',
    }, async () => {
      extension = await openExtension();
      const browserPage = await extension.context.newPage();
      await browserPage.goto('chrome://version');
      await browserPage.bringToFront();
      await pressShortcut();
      expect(await badge('–')).toMatch(/^Browser pages can’t be saved/);
      await browserPage.goto(extension.server.address);
      await pressShortcut();
      await expect.poll(() => badge('–')).toMatch(/this is Recollect, whose memories are already saved/);
      const page = await extension.show('https://post.example/lamps', ARTICLE);
      const popup = await extension.press(page);
      await popup.until(`document.body.innerText.includes('For ninety years')`);
      await popup.close();
      await extension.server.stopListening();
      await page.bringToFront();
      await pressShortcut();
      await expect.poll(waiting).toHaveLength(1);
      await expect.poll(() => badge('…')).toMatch(/^Kept in this browser: Recollect does not answer/);
      await extension.server.listenAgain();
      const again = await extension.press(page);
      await again.status(/1 waiting capture sent to Recollect/);
      expect(await listed()).toHaveLength(1);
    });

    test('EXT-5: a window that is closed while the page is still read loses nothing: the service worker reads it', async () => {
      extension = await openExtension();
      const paragraphs = '<p>The keeper of each lamp knew its flame, and wrote down what it burned.</p>'.repeat(4_000);
      const page = await extension.show(
        'https://post.example/long',
        ARTICLE.replace('</article>', `${paragraphs}</article>`),
      );
      const popup = await extension.press(page);
      await popup.focus('#tags');
      await popup.type('lamps');
      await popup.press('Save');
      await popup.close();
      await expect.poll(listed).toMatchObject([{ title: 'The lamps of Harrow Street', tags: ['lamps'] }]);
      await expect.poll(waiting).toEqual([]);

      // A note saved before the page was known does not become the draft of the next capture.
      const again = await extension.press(page);
      await again.focus('#tags');
      await again.type('street');
      await again.press('Save');
      await again.status(/It has the new tags/);
      await again.close();
      const third = await extension.press(page);
      await third.until(`document.body.innerText.includes('Saved ')`);
      expect(await third.evaluate(`document.querySelector('#tags').value`)).toBe('');
      await third.close();
    });

    test('EXT-5: a window that is closed while it sends loses nothing: the service worker sends it', async () => {
      let calls = 0;
      const change = (core: Core): Core => ({
        ...core,
        capture: async (...given) => {
          calls += 1;
          // The first request never gets an answer.
          return calls === 1 ? new Promise(() => {}) : core.capture(...given);
        },
      });
      extension = await openExtension({ change });
      const page = await extension.show('https://post.example/lamps', ARTICLE);
      const popup = await extension.press(page);
      await popup.until(`document.body.innerText.includes('For ninety years')`);
      await popup.focus('#tags');
      await popup.type('city');
      const drafts = `chrome.storage.session.get(null).then((all) => Object.keys(all).filter((name) => name.startsWith('draft:')))`;
      await popup.until(`${drafts}.then(({ length }) => length === 1)`);
      await popup.press('Save');
      expect(await popup.status(/Sending/)).toBe('Sending … Closing this window is safe.');
      await expect.poll(() => calls).toBe(1);
      await popup.close();
      await expect.poll(listed).toMatchObject([{ tags: ['city'] }]);
      await expect.poll(waiting).toEqual([]);
      // The saved text is not the beginning of the next capture.
      await expect.poll(async () => (await worker()).evaluate<string[]>(drafts)).toEqual([]);
    });
  },
);
