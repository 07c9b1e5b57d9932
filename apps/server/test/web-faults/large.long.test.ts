import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenApp, openApp } from './open-app.js';

/**
 * The part of the time until a text is shown that the page may be busy in one go. Without pieces it would be all of it.
 * Below the least, in milliseconds, the work is too short to be divided.
 */
const BUSY = { share: 1 / 3, least: 2_000 };
const WORDS = 'the kettle boils and the leaves open slowly in a warm pot by the window '.split(' ');
const MEGABYTES = 2_000_000;

const repeat = (part: (at: number) => string, length: number) => {
  let text = '';
  for (let at = 0; text.length < length; at++) text += part(at);
  return text.slice(0, length);
};
const sentence = (at: number) =>
  Array.from({ length: 30 }, (_, word) => WORDS[(at * 7 + word * 5) % WORDS.length]).join(' ');

/** Texts that are long, deep, or slow for a parser. */
const texts: Record<string, string> = {
  'prose of 2 MB': repeat((at) => `${sentence(at)} **${at}** [a](https://a.example/${at}).\n\n`, MEGABYTES),
  'one line of 2 MB': repeat((at) => `${sentence(at)} *${at}*. `, MEGABYTES),
  'one word of 2 MB': repeat(() => 'ab', MEGABYTES),
  'a list of 2 MB': repeat((at) => `- ${sentence(at)}\n`, MEGABYTES),
  'a block of code of 2 MB': `\`\`\`\n${repeat((at) => `const a${at} = "${sentence(at)}";\n`, MEGABYTES)}`,
  'quotes in quotes': `${'>'.repeat(10_000)} end`,
  'lists in lists': repeat((at) => `${' '.repeat(at * 2)}- ${at}\n`, 200_000),
  'items in items': `${'- '.repeat(10_000)}end`,
  'open brackets': '['.repeat(100_000),
  'open images': '!['.repeat(100_000),
  'open formulas': '$$\\('.repeat(50_000),
  'open emphasis': repeat((at) => `**a${at} _b `, 100_000),
  'open code': repeat((at) => `${'`'.repeat((at % 50) + 1)} `, 100_000),
  'open links': '[a](<b'.repeat(20_000),
  'open tags': '<a '.repeat(50_000),
};

describe.skipIf(browserPath === undefined)('large content (needs Chromium: apt-get install chromium)', () => {
  let app: OpenApp;
  let page: Page;
  let faults: string[];
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    app = await openApp({ withModel: false });
    for (const [title, pageText] of Object.entries(texts)) [ids[title] = ''] = await app.save({ title, pageText });
    ({ page, faults } = await app.open('/everything'));
    await page.addInitScript(() => {
      const long: number[] = [];
      Object.assign(window, { long });
      new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
      });
    });
  });
  afterAll(() => app?.close());

  test.each(Object.keys(texts))('%s: the page answers while it renders, and the text is complete', async (title) => {
    const stored = (await app.server.core.memories.get(LOCAL_USER, ids[title] ?? '')).text;
    const begin = performance.now();
    await page.goto(`${app.server.address}/memory/${ids[title]}`);
    await page.locator('article[aria-busy="false"]').waitFor();
    const duration = performance.now() - begin;
    const shown = await page.evaluate(() => document.querySelector('article')?.textContent ?? '');
    const long = await page.evaluate(() => Reflect.get(window, 'long') as number[]);
    // Markers of Markdown are not shown, but every letter and digit is.
    const letters = (text: string) => text.replace(/https:\/\/a\.example\/\d+/g, '').replace(/[^\p{L}\p{N}]+/gu, '');
    if (!title.includes('items')) expect(letters(shown).length).toBe(letters(stored).length);
    expect(Math.max(0, ...long)).toBeLessThan(Math.max(BUSY.least, duration * BUSY.share));
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(faults).toEqual([]);
  });

  test('highlights and the words of a search are found in 2 MB without blocking the page', async () => {
    const [id, text] = [ids['prose of 2 MB'] ?? '', texts['prose of 2 MB'] ?? ''];
    const quote = text
      .slice(1_000_000, 1_000_100)
      .replace(/[*[\]()]|https:\S+/g, '')
      .trim();
    for (const passage of [quote, 'These words are nowhere in it.'])
      await app.server.core.highlights.create(LOCAL_USER, id, { quote: passage });
    const begin = performance.now();
    await page.goto(`${app.server.address}/memory/${id}?q=kettle`);
    await page.locator('article mark.highlight').first().waitFor();
    await page.getByText('These words are no longer in the text.').waitFor();
    const duration = performance.now() - begin;
    const long = await page.evaluate(() => Reflect.get(window, 'long') as number[]);
    expect(Math.max(0, ...long)).toBeLessThan(Math.max(BUSY.least, duration * BUSY.share));
  });
});
