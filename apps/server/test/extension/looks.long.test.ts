import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Extension, openExtension } from './open-extension.js';
import type { Popup } from './press-button.js';
import { ARTICLE, conversationPage } from './sample-pages.js';

/** The folder for screenshots, if they are wanted. They include the images of the documentation. */
const SCREENSHOT_FOLDER = process.env.RECOLLECT_TEST_PICTURES;

let extension: Extension;
let axe: string;

/** Checks the popup in light and dark mode: WCAG AA with axe, no layout shift, and a screenshot. */
async function checkAppearance(popup: Popup, name: string): Promise<void> {
  for (const scheme of ['light', 'dark']) {
    await popup.emulate({ 'prefers-color-scheme': scheme });
    if (SCREENSHOT_FOLDER !== undefined) {
      await mkdir(SCREENSHOT_FOLDER, { recursive: true });
      await writeFile(join(SCREENSHOT_FOLDER, `${name}-${scheme}.png`), await popup.screenshot());
    }
    const violations = await popup.evaluate<unknown[]>(`(async () => {
      ${axe};
      const { violations } = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] });
      return violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => html + failureSummary)]);
    })()`);
    expect(violations, `${name}, ${scheme}`).toEqual([]);
  }
  const shift = await popup.evaluate<number>(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; })
      .observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 50);
  })`);
  expect(shift, `layout shift in ${name}`).toBeLessThan(0.01);
}

describe.skipIf(browserPath === undefined)(
  'appearance of the extension (needs Chromium: apt-get install chromium)',
  () => {
    beforeAll(async () => {
      axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
      extension = await openExtension();
      await extension.server.core.capture(LOCAL_USER, [
        {
          title: 'Notes on lamp oil',
          pageText: 'Paraffin burns brighter than colza oil, but its lamps smell.',
          tags: ['light'],
        },
        {
          title: 'How a mantle glows',
          url: 'https://physics.example/mantle',
          pageText: 'A mantle of thorium oxide glows white in the flame of a gas lamp.',
        },
        {
          title: 'Lamps for the boat',
          url: 'https://claude.ai/chat/7',
          messages: [
            { role: 'user', text: 'Which lamps may burn on a boat at night?' },
            { role: 'assistant', text: 'Side lights, red and green, and one white light at the stern.' },
          ],
        },
      ]);
    });
    afterAll(() => extension?.close());

    test('shows a page before and after saving, and as already saved', async () => {
      const page = await extension.show('https://post.example/lamps', ARTICLE);
      const popup = await extension.press(page);
      await popup.until(`document.body.innerText.includes('For ninety years')`);
      await popup.until(`document.querySelector('.picture img') !== null`);
      await checkAppearance(popup, 'page');
      await popup.press('Save');
      await popup.status(/saved/);
      await checkAppearance(popup, 'saved');
      await popup.close();
      const again = await extension.press(page);
      await again.until(`document.body.innerText.includes('Saved ')`);
      await checkAppearance(again, 'known');
      await again.close();
    });

    test('shows a selection and a conversation', async () => {
      const page = await extension.show('https://post.example/selection', ARTICLE);
      await page.evaluate(() =>
        getSelection()?.selectAllChildren(document.querySelector('blockquote') ?? document.body),
      );
      const selection = await extension.press(page);
      await selection.until(`document.body.innerText.includes('Save selection')`);
      await checkAppearance(selection, 'selection');
      await selection.close();
      const talk = await extension.press(
        await extension.show('https://chatgpt.com/c/looks', conversationPage(12, { isStreaming: true })),
      );
      await talk.until(`document.body.innerText.includes('Save conversation')`);
      await checkAppearance(talk, 'conversation');
      await talk.close();
    });

    test('shows search results, with one selected', async () => {
      const popup = await extension.press(await extension.show('https://post.example/search', ARTICLE));
      await popup.until(`document.body.innerText.includes('Connected')`);
      await popup.focus('[type=search]');
      await popup.type('lamp');
      await popup.until(
        `document.querySelectorAll('[role=option]').length >= 3 && /now|ago/.test(document.body.innerText)`,
      );
      await popup.key('ArrowDown');
      await popup.until(`document.querySelector('[aria-selected=true]')`);
      await checkAppearance(popup, 'results');
      await popup.evaluate(`document.querySelector('[type=search]').select()`);
      await popup.type('lamplightr ladder today');
      await popup.until(`document.querySelectorAll('.taken-as').length === 2`);
      await checkAppearance(popup, 'understood');
      await popup.close();
    });

    test('shows waiting captures while offline, and a page that cannot be saved', async () => {
      await extension.server.stopListening();
      const popup = await extension.press(await extension.show('https://post.example/offline', ARTICLE));
      await popup.until(`document.body.innerText.includes('Not reachable')`);
      await popup.press('Save');
      await popup.status(/Kept/);
      await checkAppearance(popup, 'offline');
      await popup.close();
      await extension.server.listenAgain();
      const page = await extension.context.newPage();
      await page.goto('chrome://version');
      const nothing = await extension.press(page);
      await nothing.status(/^Browser pages can’t be saved/);
      await nothing.until(`document.body.innerText.includes('Connected')`);
      await checkAppearance(nothing, 'no-page');
      await nothing.close();
    });
  },
);

describe.skipIf(browserPath === undefined)(
  'appearance of the extension when a key is required (needs Chromium: apt-get install chromium)',
  () => {
    test('shows one field and what to do', async () => {
      const guarded = await openExtension({ policy: { auth: 'required' } });
      const popup = await guarded.press(await guarded.show('https://post.example/lamps', ARTICLE));
      await popup.until(`document.body.innerText.includes('Key needed')`);
      await popup.until(`document.body.innerText.includes('For ninety years')`);
      await checkAppearance(popup, 'key');
      await guarded.close();
    });
  },
);
