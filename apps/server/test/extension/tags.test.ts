import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Extension, openExtension } from './open-extension.js';
import type { Popup } from './press-button.js';
import { ARTICLE } from './sample-pages.js';

/** The folder for screenshots, if they are wanted. */
const SCREENSHOT_FOLDER = process.env.RECOLLECT_TEST_PICTURES;

const BOXES = `['.preview', '.modes', '.fields', '.fields .name', '.save', '.actions'].map((part) => {
  const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
  return [x, y, width, height].map(Math.round).join();
})`;
const CHIPS = `[...document.querySelectorAll('.tag-chips li')].map((chip) => chip.textContent).join()`;
const OFFERED = `[...document.querySelectorAll('.tags [role=option]')].map((tag) => tag.textContent).join()`;
const TYPED = `document.querySelector('#tags').value`;

describe.skipIf(browserPath === undefined)(
  'tags in the window of the extension (needs Chromium: apt-get install chromium)',
  () => {
    let extension: Extension;
    beforeAll(async () => {
      extension = await openExtension();
      for (const tags of [['code/databases'], ['green tea'], ['city walks']])
        await extension.server.core.capture(LOCAL_USER, [{ pageText: `A text about ${tags[0]}.`, tags }]);
    });
    afterAll(() => extension?.close());

    const open = async (path: string) => {
      const html = ARTICLE.replace('ninety years', `ninety years of ${path}`);
      const page = await extension.show(`https://post.example/${path}`, html);
      const popup = await extension.press(page);
      await popup.until(`document.querySelector('textarea.title') && document.querySelector('.picture img')`);
      await popup.until(`document.body.innerText.includes('Connected')`);
      return { page, popup };
    };
    const newest = async () => (await extension.server.core.memories.list(LOCAL_USER, { limit: 1 })).memories[0];
    const picture = async (popup: Popup, name: string) => {
      if (SCREENSHOT_FOLDER === undefined) return;
      await mkdir(SCREENSHOT_FOLDER, { recursive: true });
      for (const scheme of ['light', 'dark']) {
        await popup.emulate({ 'prefers-color-scheme': scheme });
        await writeFile(join(SCREENSHOT_FOLDER, `${name}-${scheme}.png`), await popup.screenshot());
      }
    };

    test('EXT-12: become chips in one line, which an opened window has again, and nothing moves', async () => {
      const { page, popup } = await open('chips');
      const before = await popup.evaluate(BOXES);
      await popup.focus('#tags');
      await popup.until(`${OFFERED} === 'city walks,green tea,code/databases'`);
      await picture(popup, 'offers');
      // Any letters in order, of the tags that were used last.
      await popup.type('cdb');
      await popup.until(`${OFFERED} === 'code/databases'`);
      await popup.key('ArrowDown');
      await popup.key('Enter');
      await popup.until(`${CHIPS} === 'code/databases'`);
      await popup.type('lamps//gas, Green Tea, a rather long tag of a street, unfin');
      await popup.until(`${CHIPS} === 'code/databases,lamps/gas,Green Tea,a rather long tag of a street'`);
      await picture(popup, 'chips');
      expect(await popup.evaluate(TYPED)).toBe('unfin');
      expect(await popup.evaluate(BOXES)).toEqual(before);
      const last = `document.querySelector('.tag-chips li:last-child').getBoundingClientRect()`;
      const list = `document.querySelector('.tag-chips').getBoundingClientRect()`;
      expect(await popup.evaluate(`Math.round(${last}.right - ${list}.right) <= 1`)).toBe(true);
      await popup.until(
        `chrome.storage.session.get(null).then((all) => Object.values(all).some(({ tags }) => tags.endsWith('unfin')))`,
      );
      await popup.close();

      const again = await extension.press(page);
      await again.until(`${TYPED} === 'unfin'`);
      expect(await again.evaluate(CHIPS)).toBe('code/databases,lamps/gas,Green Tea,a rather long tag of a street');
      await again.until(`document.querySelector('.picture img')`);
      expect(await again.evaluate(BOXES)).toEqual(before);
      await again.evaluate(`document.querySelector('[aria-label="Remove Green Tea"]').click()`);
      await again.until(`!${CHIPS}.includes('Green Tea') && document.activeElement.id === 'tags'`);
      await again.press('Save');
      await again.status(/^Page saved, \d+ words\.$/);
      expect((await newest())?.tags).toEqual(['code/databases', 'lamps/gas', 'a rather long tag of a street', 'unfin']);
      expect([await again.evaluate(CHIPS), await again.evaluate(TYPED)]).toEqual(['', '']);
      await again.close();
    });

    test('EXT-12: Escape closes the offers but not the window, and Backspace removes the last chip', async () => {
      const { popup } = await open('keys');
      await popup.focus('#tags');
      await popup.type('one, two, gr');
      await popup.until(`${OFFERED}.startsWith('green tea')`);
      await popup.key('Escape');
      await popup.until(`document.querySelector('.tag-offers').hidden`);
      await popup.evaluate(`document.querySelector('#tags').select()`);
      await popup.evaluate(`document.execCommand('delete')`);
      await popup.until(`${TYPED} === ''`);
      await popup.key('Backspace');
      await popup.until(`${CHIPS} === 'one'`);
      await popup.close();
    });

    test('EXT-12: fit the window from right to left, in forced colours and with text of twice the size', {
      tags: 'long',
    }, async () => {
      const { popup } = await open('modes');
      await popup.focus('#tags');
      await popup.type('one, a rather long tag of a street, another one, gr');
      await popup.until(`${OFFERED}.startsWith('green tea')`);
      const fits = `(() => {
        const row = document.querySelector('.fields').getBoundingClientRect();
        const parts = [...document.querySelectorAll('.tag-field, #tags, .tag-chips, .tag-chips li:last-child')];
        return parts.every((part) => {
          const { left, right } = part.getBoundingClientRect();
          return left >= row.left - 1 && right <= row.right + 1;
        });
      })()`;
      expect(await popup.evaluate(fits)).toBe(true);
      await popup.evaluate(`document.documentElement.dir = 'rtl'`);
      await popup.type(', b, c');
      expect(await popup.evaluate(fits)).toBe(true);
      await picture(popup, 'rtl');
      await popup.evaluate(`document.documentElement.dir = ''`);
      await popup.evaluate(`document.documentElement.style.fontSize = '200%'`);
      await popup.type(', more');
      expect(await popup.evaluate(fits)).toBe(true);
      await picture(popup, 'large');
      await popup.evaluate(`document.documentElement.style.fontSize = ''`);
      await popup.emulate({ 'forced-colors': 'active' });
      await popup.type(', gr');
      await popup.until(`${OFFERED}.startsWith('green tea')`);
      await popup.key('ArrowDown');
      await popup.until(`document.querySelector('.tags [aria-selected=true]')`);
      const outline = `getComputedStyle(document.querySelector('.tags [aria-selected=true]')).outlineStyle`;
      expect(await popup.evaluate(outline)).toBe('solid');
      await popup.close();
    });
  },
);
