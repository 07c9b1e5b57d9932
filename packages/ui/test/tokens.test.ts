import { type Browser, browserPath, openContext } from '@recollect/browser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGallery } from './open-gallery.js';

/** The WCAG AA minimum for text. */
const MINIMUM = 4.5;
const TEXTS = ['text', 'soft', 'accent', 'good', 'kept', 'bad', 'chatgpt', 'claude', 'openclaw'];
const BACKGROUNDS = ['back', 'raised', 'overlay', 'field', 'hover', 'selected'];
const PAIRS = [
  ...TEXTS.flatMap((text) => BACKGROUNDS.map((background) => [text, background] as const)),
  ['on-primary', 'primary'] as const,
  ['text', 'mark'] as const,
];

let browser: Browser;
let page: Page;

/** The computed colour of a token, such as `rgb(29, 28, 26)`. */
function colour(token: string): Promise<string> {
  return page.evaluate((name) => {
    document.body.style.color = `var(--${name})`;
    const { color } = getComputedStyle(document.body);
    document.body.style.color = '';
    return color;
  }, token);
}

function luminance(rgb: string): number {
  const [red = 0, green = 0, blue = 0] = (rgb.match(/\d+/g) ?? [])
    .map((part) => Number(part) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

async function contrast(one: string, other: string): Promise<number> {
  const [light = 0, dark = 0] = [luminance(await colour(one)), luminance(await colour(other))].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe.skipIf(browserPath === undefined)('tokens (needs Chromium: apt-get install chromium)', () => {
  beforeAll(async () => {
    browser = await openContext();
    page = await openGallery(browser);
  });
  afterAll(() => browser?.close());

  test.each([
    ['light', 'no-preference'],
    ['light', 'more'],
    ['dark', 'no-preference'],
    ['dark', 'more'],
  ] as const)('reach the contrast of WCAG AA: %s, contrast %s', async (colorScheme, preference) => {
    await page.emulateMedia({ colorScheme, contrast: preference });
    const low: string[] = [];
    for (const [text, background] of PAIRS) {
      const ratio = await contrast(text, background);
      if (ratio < MINIMUM) low.push(`${text} on ${background}: ${ratio.toFixed(2)}`);
    }
    expect(low).toEqual([]);
    expect(luminance(await colour('back')) > 0.5).toBe(colorScheme === 'light');
  });

  test('are stronger if the user prefers more contrast', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, contrast: 'no-preference' });
      const before = [await contrast('soft', 'back'), await contrast('line', 'back')];
      await page.emulateMedia({ colorScheme, contrast: 'more' });
      const [soft = 0, line = 0] = [await contrast('soft', 'back'), await contrast('line', 'back')];
      expect(soft).toBeGreaterThan(Math.max(7, before[0] ?? 0));
      expect(line).toBeGreaterThan(Math.max(3, before[1] ?? 0));
    }
  });

  test('follow data-theme instead of the system', async () => {
    await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' });
    const light = await colour('back');
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
    const dark = await colour('back');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'));
    expect(await colour('back')).toBe(light);
    await page.evaluate(() => document.documentElement.removeAttribute('data-theme'));
    expect(await colour('back')).toBe(dark);
    expect(dark).not.toBe(light);
  });

  test('have no motion if the user prefers that', async () => {
    const durations = () =>
      page.evaluate(() =>
        ['--fast', '--slow'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name)),
      );
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await durations()).not.toContain('0s');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const duration of await durations()) expect(Number.parseFloat(duration)).toBe(0);
  });
});
