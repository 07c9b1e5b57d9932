import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, browserPath, openContext } from '@recollect/browser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGallery } from './open-gallery.js';

/** The folder for screenshots, if they are wanted. */
const SCREENSHOT_FOLDER = process.env.RECOLLECT_TEST_PICTURES;

let browser: Browser;
let page: Page;

describe.skipIf(browserPath === undefined)('components (needs Chromium: apt-get install chromium)', () => {
  beforeAll(async () => {
    browser = await openContext();
    page = await openGallery(browser);
  });
  afterAll(() => browser?.close());

  const done = () => page.evaluate(() => (Reflect.get(globalThis, 'done') as string[]).splice(0));

  test('have no accessibility violations in light and dark', async () => {
    await page.addScriptTag({
      content: await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      if (SCREENSHOT_FOLDER !== undefined) {
        await mkdir(SCREENSHOT_FOLDER, { recursive: true });
        await page.screenshot({ path: `${SCREENSHOT_FOLDER}/ui-${colorScheme}.png` });
      }
      const found = await page.evaluate<string[]>(`axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
      expect(found, colorScheme).toEqual([]);
    }
  });

  test('are at least 24 × 24 px large where they can be pressed', async () => {
    const sizes = await page
      .locator('button, a, input')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => [width, height]));
    expect(sizes.length).toBeGreaterThan(15);
    for (const [width, height] of sizes) expect(Math.min(width ?? 0, height ?? 0)).toBeGreaterThanOrEqual(24);
  });

  test('Button takes native attributes, a class and a ref, and submits nothing by default', async () => {
    const button = page.getByRole('button', { name: 'pressed', exact: true });
    await button.click();
    expect(await done()).toEqual(['pressed']);
    expect(await button.getAttribute('type')).toBe('button');
    expect(await button.getAttribute('class')).toBe('button plain own');
    expect(await page.evaluate('button.current.textContent')).toBe('pressed');
  });

  test('Button without text has a name, which is its tooltip', async () => {
    const button = page.getByRole('button', { name: 'Delete quiet', exact: true });
    expect(await button.getAttribute('title')).toBe('Delete quiet');
    expect(await button.getAttribute('class')).toBe('button quiet icon-only');
  });

  test('Chip is a text, a link or a button, and can be removed', async () => {
    await page.getByRole('button', { name: 'Remove tag:tea' }).click();
    await page.getByRole('button', { name: 'coffee', exact: true }).click();
    await page.getByRole('button', { name: 'Forget coffee' }).click();
    expect(await done()).toEqual(['removed', 'chosen', 'removed']);
    const link = page.getByRole('link', { name: 'שלום' });
    expect([await link.getAttribute('href'), await link.innerText()]).toEqual(['#tea', 'שלום\n1,234']);
  });

  test('SYS-42: TagField makes chips of typed and pasted tags, and needs no mouse', async () => {
    const field = page.getByRole('combobox', { name: 'Tags' });
    const offers = () => page.getByRole('option').allTextContents();
    const value = () => page.locator('form').getAttribute('data-value');
    await field.focus();
    expect(await offers()).toEqual(['green tea', 'drinks/coffee', 'city walks']);
    await page.keyboard.type('#dcf');
    expect(await offers()).toEqual(['drinks/coffee']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    expect(await value()).toBe('lamps, drinks/coffee, ');
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
    // A pasted list, whose last tag can be continued.
    await page.keyboard.insertText('a//b, Lamps, gas');
    const chips = page.getByRole('list', { name: 'Chosen tags' }).locator('li');
    expect(await chips.allTextContents()).toEqual(['lamps', 'drinks/coffee', 'a/b']);
    expect(await field.inputValue()).toBe('gas');
    await page.keyboard.type(',t');
    expect(await offers()).toEqual(['green tea', 'city walks']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect([await offers(), await field.inputValue()]).toEqual([[], 't']);
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    expect(await value()).toBe('lamps, drinks/coffee, a/b, ');
    await page.getByRole('button', { name: 'Remove drinks/coffee' }).click();
    expect(await value()).toBe('lamps, a/b, ');
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  test('Marked marks the matches and leaves the rest as text', async () => {
    const [before, mark] = await page
      .locator('p')
      .evaluate((one) => [one.textContent, one.querySelector('mark')?.textContent]);
    expect([before, mark]).toEqual(['The lamps of <b>Harrow</b> Street', 'lamps']);
  });

  test('Age has the instant, and the exact time on hover', async () => {
    const time = page.locator('time');
    expect([await time.textContent(), await time.getAttribute('datetime')]).toEqual(['3d ago', '2026-06-12T12:00:00Z']);
    expect(await time.getAttribute('title')).toMatch(/^Jun 1[123], 2026/);
  });

  test('SourceIcon has the name of the source', async () => {
    const names = await page.getByRole('img').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    expect(names).toEqual(['Page', 'Note', 'ChatGPT', 'Claude', 'OpenClaw']);
  });

  test('icons are different drawings inside their box, hidden from screen readers', async () => {
    const icons = await page.locator('#icons svg').evaluateAll((all) =>
      all.map((svg) => {
        const { x, y, width, height } = (svg as SVGSVGElement).getBBox();
        const d = svg.querySelector('path')?.getAttribute('d') ?? '';
        return { d, x, y, right: x + width, bottom: y + height, isHidden: svg.getAttribute('aria-hidden') === 'true' };
      }),
    );
    expect(icons.length).toBeGreaterThanOrEqual(30);
    expect(new Set(icons.map(({ d }) => d)).size).toBe(icons.length);
    for (const { d, x, y, right, bottom, isHidden } of icons) {
      expect(isHidden).toBe(true);
      expect(Math.min(x, y), d).toBeGreaterThanOrEqual(1);
      expect(Math.max(right, bottom), d).toBeLessThanOrEqual(15);
      expect(Math.max(right - x, bottom - y), d).toBeGreaterThan(7);
    }
  });

  test('icons that point in a direction are mirrored in text from right to left', async () => {
    const mirrored = () =>
      page
        .locator('#icons svg')
        .evaluateAll((all) => all.filter((svg) => getComputedStyle(svg).transform !== 'none').length);
    expect(await mirrored()).toBe(0);
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    expect(await mirrored()).toBe(6);
    await page.evaluate(() => document.documentElement.removeAttribute('dir'));
  });

  test('borders, focus and selection are visible in forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const button = page.getByRole('button', { name: 'primary', exact: true });
    await button.focus();
    // Focus is shown for the keyboard only.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    const [border, focus] = await button.evaluate((one) => {
      const { borderTopColor, borderTopWidth, outlineStyle, outlineWidth } = getComputedStyle(one);
      return [`${borderTopWidth} ${borderTopColor}`, `${outlineWidth} ${outlineStyle}`];
    });
    expect(border).toMatch(/^1px rgba?\((?!0, 0, 0, 0\))/);
    expect(focus).toBe('2px solid');
    const pressed = page.locator('[aria-pressed=true]');
    expect(await pressed.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
    await page.emulateMedia({ forcedColors: 'none' });
  });
});
