import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Extension, openExtension } from './open-extension.js';
import type { Popup } from './press-button.js';
import { ARTICLE } from './sample-pages.js';

/** The parts of the window that stay where they are, each with its place and size. */
const BOXES = `Object.fromEntries(
  ['.preview', '.preview > .facts', '.preview > .title', '.text', '.modes', '.fields', '.save', '.actions', '.shortcut']
    .flatMap((part) => {
      const { x, y, width, height } = document.querySelector(part)?.getBoundingClientRect() ?? {};
      return x === undefined ? [] : [[part, [x, y, width, height].map(Math.round)]];
    }))`;

describe.skipIf(browserPath === undefined)(
  'the window of the extension after saving (needs Chromium: apt-get install chromium)',
  () => {
    let extension: Extension;
    beforeAll(async () => {
      extension = await openExtension();
    });
    afterAll(() => extension?.close());

    const boxes = (popup: Popup) => popup.evaluate<Record<string, number[]>>(BOXES);
    const listed = async () => (await extension.server.core.memories.list(LOCAL_USER, { limit: 10 })).memories;
    const saveLabel = `document.querySelector('button.save').textContent`;
    const button = (name: string) =>
      `[...document.querySelectorAll('.actions .button')].find(({ textContent }) => textContent === '${name}')`;
    const isVisible = (name: string) => `getComputedStyle(${button(name)}).visibility === 'visible'`;

    test('EXT-9: opens, stars, postpones and takes back what it saved, and nothing moves', async () => {
      const page = await extension.show('https://post.example/after', ARTICLE);
      const popup = await extension.press(page);
      const early = await boxes(popup);
      await popup.until(`document.querySelector('textarea.title') && document.querySelector('.picture img')`);
      await popup.until(`document.body.innerText.includes('Connected')`);
      const before = await boxes(popup);
      expect(before).toMatchObject(early);
      expect(await popup.evaluate(isVisible('Open'))).toBe(false);
      await popup.focus('#tags');
      await popup.type('city');
      await popup.press('Save');
      await popup.status(/^Page saved, \d+ words\.$/);
      await popup.until(`${saveLabel} === 'Saved ✓'`);
      await popup.until(`${isVisible('Undo')} && !${button('Star')}.disabled`);
      expect(await boxes(popup)).toEqual(before);
      const [memory] = await listed();
      expect(await popup.evaluate(`${button('Open')}.href`)).toBe(`${extension.server.address}/memory/${memory?.id}`);

      await popup.press('Star');
      await popup.press('Later');
      await expect.poll(listed).toMatchObject([{ starred: true, place: 'later', tags: ['city'] }]);
      await popup.press('Later');
      await expect.poll(listed).toMatchObject([{ starred: true, place: 'inbox' }]);
      expect(await boxes(popup)).toEqual(before);

      await popup.press('Undo');
      await popup.status(/^Not saved\. The memory is in the trash\.$/);
      expect(await listed()).toEqual([]);
      await popup.until(`${saveLabel} === 'Save page'`);
      expect(await popup.evaluate(`document.querySelector('#tags').value`)).toBe('city');
      expect(await popup.evaluate(isVisible('Open'))).toBe(false);
      expect(await boxes(popup)).toEqual(before);

      await popup.press('Save page');
      await popup.until(`${saveLabel} === 'Saved ✓'`);
      await popup.focus('#tags');
      await popup.type('walk');
      await popup.until(`${saveLabel} === 'Save page'`);
      await popup.close();
    });

    test('EXT-9: offers no undo of a page that was saved before', async () => {
      const page = await extension.show('https://post.example/before', ARTICLE.replace('ninety', '95'));
      const first = await extension.press(page);
      await first.press('Save');
      await first.status(/saved/);
      await first.close();
      const [memory] = await listed();
      const popup = await extension.press(page);
      await popup.until(`${isVisible('Open')} && !${button('Star')}.disabled`);
      expect(await popup.evaluate(isVisible('Undo'))).toBe(false);
      await popup.press('Star');
      await expect.poll(async () => (await listed())[0]).toMatchObject({ id: memory?.id, starred: true });
      await popup.press('Save page');
      await popup.status(/^Page is already in your memory/);
      expect(await popup.evaluate(isVisible('Undo'))).toBe(false);
      expect((await listed())[0]?.id).toBe(memory?.id);
      await popup.close();
    });

    test('EXT-9: names a page that cannot be saved in grey, where the preview would be', async () => {
      const article = await extension.press(await extension.show('https://post.example/grey', ARTICLE));
      await article.until(`document.querySelector('textarea.title') && document.querySelector('.shortcut kbd')`);
      const usual = await boxes(article);
      await article.close();
      const page = await extension.context.newPage();
      await page.goto('chrome://version');
      const popup = await extension.press(page);
      expect(await popup.status(/./)).toBe('Browser pages can’t be saved.');
      await popup.until(`document.querySelector('.shortcut kbd')`);
      expect(usual).toMatchObject(await boxes(popup));
      const colours = `(() => {
        const probe = document.body.appendChild(Object.assign(document.createElement('i'), { style: 'color: var(--soft)' }));
        return [document.querySelector('[role=status]'), probe].map((one) => getComputedStyle(one).color);
      })()`;
      const [shown, grey] = await popup.evaluate<string[]>(colours);
      expect(shown).toBe(grey);
      await popup.close();
    });
  },
);
