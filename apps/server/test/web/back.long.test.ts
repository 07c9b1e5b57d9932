import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeApp, eventually, rows } from './open-app.js';

const words = (count: number, seed: number) =>
  Array.from({ length: count }, (_, at) => `word${(seed * 7 + at * 13) % 97}`).join(' ');
/** Rows of many heights: short and long titles, texts and tags. */
const capture = (index: number) => ({
  title: `Cup ${index}${index % 3 === 0 ? ` ${words(18, index)}` : ''}`,
  pageText: `Cup number ${index}. ${words((index * 11) % 60, index)}`,
  tags: index % 4 === 0 ? Array.from({ length: (index % 11) + 1 }, (_, at) => `some-longer-tag-${at}`) : [],
  capturedAt: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000 * (index % 2 === 0 ? 5 : 1)).toISOString(),
});

/** The titles on screen, with their places in the window. */
const places = (page: Page) =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll('a.row-title'), (link) => ({
      title: link.textContent,
      top: Math.round(link.getBoundingClientRect().top),
    })).filter(({ top }) => top > 60 && top < innerHeight),
  );

async function scrollTo(page: Page, depth: number): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate((to) => {
          window.scrollTo(0, Math.min(to, scrollY + 4_000));
          return Math.abs(to - scrollY);
        }, depth),
      { timeout: 60_000, interval: 60 },
    )
    .toBeLessThan(40);
  // Rows are measured when the window rests.
  await page.waitForTimeout(300);
}

/** Opens the memory in the middle of the window with the mouse. Returns its title. */
async function openMiddle(page: Page): Promise<string> {
  const shown = await places(page);
  const { title, top } = shown[Math.floor(shown.length / 2)] ?? { title: '', top: 0 };
  const box = await page.getByRole('link', { name: title, exact: true }).boundingBox();
  await page.mouse.click((box?.x ?? 0) + 10, top + 8);
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  return title;
}

describeApp('Back to a list of rows of many heights', (app) => {
  test('the list is longer than a page of it', async () => {
    await app().save(...Array.from({ length: 1_300 }, (_, index) => capture(index)));
    await app().open('/everything');
  });

  for (const [depth, way] of [
    [4_000, 'Back'],
    [9_000, 'u'],
    [30_000, 'Back'],
    [90_000, 'u'],
  ] as const)
    test(`${depth} pixels down, it is where it was left after ${way}`, async () => {
      const { page } = app();
      await scrollTo(page, depth);
      const before = await places(page);
      const title = await openMiddle(page);
      if (way === 'Back') await page.goBack();
      else await page.keyboard.press('u');
      await rows(page).first().waitFor();
      await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe(title);
      await eventually(() => places(page)).toEqual(before);
    });

  test('the results of a search are where they were left', async () => {
    const { page } = app();
    await app().open('/?q=cup');
    await rows(page).first().waitFor();
    await scrollTo(page, 2_000);
    const before = await places(page);
    await openMiddle(page);
    await page.goBack();
    await eventually(() => places(page)).toEqual(before);
  });

  test('the rows stay on screen when something was saved while the reader was open', async () => {
    const { page } = app();
    await app().open('/everything');
    await rows(page).first().waitFor();
    await scrollTo(page, 6_000);
    const before = await places(page);
    await openMiddle(page);
    await app().save({ title: 'Saved meanwhile', pageText: 'Another client saved this.' });
    await page.waitForTimeout(800);
    await page.goBack();
    const near = async () => {
      const [top] = before;
      return Math.abs(((await places(page)).find(({ title }) => title === top?.title)?.top ?? 9_999) - (top?.top ?? 0));
    };
    await eventually(near).toBeLessThan(5);
  });
});
