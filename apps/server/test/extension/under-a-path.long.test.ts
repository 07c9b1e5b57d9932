import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Extension, openExtension, PORT } from './open-extension.js';

const BASE_URL = `http://127.0.0.1:${PORT}/recollect`;

describe.skipIf(browserPath === undefined)(
  'the extension under a path (needs Chromium: apt-get install chromium)',
  () => {
    let extension: Extension;
    beforeAll(async () => {
      extension = await openExtension({ policy: { publicUrl: new URL(BASE_URL) } });
    });
    afterAll(() => extension?.close());

    test('SYS-10, EXT-4: saves to the path and opens what it saved there', async () => {
      const text = `<article><h1>Tea</h1><p>${'Steep it below boiling. '.repeat(20)}</p></article>`;
      const popup = await extension.press(await extension.show('https://post.example/tea', text));
      await popup.until(`document.body.innerText.includes('Connected')`);
      await popup.press('Save');
      await popup.status(/saved/);
      const [memory] = (await extension.server.core.memories.list(LOCAL_USER, { limit: 1 })).memories;
      expect(await popup.evaluate(`document.querySelector('.actions a').href`)).toBe(
        `${BASE_URL}/memory/${memory?.id}`,
      );
      await popup.close();
    });

    test('SYS-10: takes only pages under the path for the web app', async () => {
      const page = await extension.context.newPage();
      await page.goto(`${BASE_URL}/docs`);
      const own = await extension.press(page);
      await own.until(`document.body.innerText.includes('this is Recollect')`);
      await own.close();
      // Another program on the same host: the test server answers without the path as well.
      await page.goto(new URL('/docs/security', BASE_URL).href);
      const other = await extension.press(page);
      await other.until(
        `[...document.querySelectorAll('button')].some(({ textContent }) => textContent.includes('Save'))`,
      );
      expect(await other.evaluate('document.body.innerText')).not.toContain('this is Recollect');
      await other.close();
    });
  },
);
