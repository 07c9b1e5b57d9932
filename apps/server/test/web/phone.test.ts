import type { CDPSession } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, expectTitles, focused, rows, undo } from './open-app.js';

const PHONE = { width: 390, height: 844 };

describeApp('the web app on a phone', (app) => {
  let cdp: CDPSession;
  beforeAll(async () => {
    const { page, context } = app();
    cdp = await context.newCDPSession(page);
    await page.setViewportSize(PHONE);
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await app().save(
      ...Array.from({ length: 30 }, (_, at) => ({
        title: `Page ${at}`,
        url: `https://${at % 2 === 0 ? 'even' : 'odd'}.example/${at}`,
        pageText: `Words of the page ${at}.`,
        capturedAt: new Date(Date.UTC(2025, 0, 60 - at)).toISOString(),
      })),
    );
  });
  beforeEach(() => app().open('/everything'));

  const tabs = () => app().page.getByRole('navigation', { name: 'Tabs' });
  const menu = () => app().page.getByRole('dialog', { name: 'Menu' });

  test('SYS-54: the tabs lead to Home, Search, Add, Highlights and the menu of all pages', async () => {
    const { page } = app();
    await eventually(() => tabs().locator(':scope > *').allTextContents()).toEqual([
      'Home',
      'Search',
      'Add',
      'Highlights',
      'Menu',
    ]);
    await tabs().getByRole('link', { name: 'Highlights' }).click();
    await page.waitForURL('**/highlights');
    expect(await tabs().locator('[aria-current=page]').textContent()).toBe('Highlights');
    await tabs().getByRole('link', { name: 'Search' }).click();
    await page.waitForURL('**/everything');
    await eventually(() => focused(page)).toBe('input Search');
    await page.keyboard.type('site:even.example');
    await page.keyboard.press('Enter');
    await page.getByText('15 memories', { exact: true }).waitFor();
    // The query stays when the field is wanted again.
    await page.keyboard.press('Escape');
    await tabs().getByRole('link', { name: 'Search' }).click();
    await eventually(() => focused(page)).toBe('input Search');
    expect(new URL(page.url()).search).toBe('?q=site%3Aeven.example');
    await tabs().getByRole('button', { name: 'Add' }).click();
    await page.getByRole('textbox', { name: 'Link or text' }).waitFor();
    await page.keyboard.press('Escape');
    await tabs().getByRole('button', { name: 'Menu' }).click();
    await menu().getByRole('link', { name: 'Trash' }).click();
    await page.waitForURL('**/trash');
    await eventually(() => menu().count()).toBe(0);
    await tabs().getByRole('button', { name: 'Menu' }).click();
    await menu().getByRole('button', { name: 'Keys and gestures' }).click();
    await page.getByText('Swipe left').waitFor();
    await page.keyboard.press('Escape');
  });

  test('SYS-55: the bars step aside while a list is scrolled down, and return', async () => {
    const { page } = app();
    const area = async (selector: string) => (await page.locator(selector).boundingBox()) ?? { y: 0, height: 0 };
    const covered = async () => {
      const [head, bar] = [await area('.head'), await area('.tab-bar')];
      return Math.max(0, head.y + head.height) + Math.max(0, PHONE.height - bar.y);
    };
    await rows(page).first().waitFor();
    await eventually(covered).toBeGreaterThan(100);
    expect(await covered()).toBeLessThan(120);
    const scroll = (by: number) => page.evaluate((to) => scrollBy(0, to), by);
    for (const by of [200, 200]) await scroll(by);
    await eventually(covered).toBe(0);
    await scroll(-50);
    await eventually(covered).toBeGreaterThan(100);
    // The keyboard never leads to a hidden control.
    await scroll(200);
    await eventually(covered).toBe(0);
    await page.locator('.brand').focus();
    await page.keyboard.press('Tab');
    await eventually(async () => (await area('.head')).y).toBe(0);
  });

  test('SYS-56: the filter is a sheet, whose choices narrow the list', async () => {
    const { page } = app();
    await page.getByRole('button', { name: 'Filter' }).click();
    const sheet = page.getByRole('dialog', { name: 'Filter' });
    await sheet.getByRole('button', { name: 'odd.example 15' }).click();
    await sheet.getByRole('button', { name: 'Show 15 memories' }).waitFor();
    const { y = 0, height = 0 } = (await sheet.boundingBox()) ?? {};
    expect(y + height).toBe(PHONE.height);
    await sheet.getByRole('button', { name: 'Clear all filters' }).click();
    await sheet.getByRole('button', { name: 'even.example 15' }).click();
    await sheet.getByRole('button', { name: 'Show 15 memories' }).click();
    await eventually(() => sheet.count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?q=site%3Aeven.example');
    await page.getByText('15 memories', { exact: true }).waitFor();
  });

  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] });
  /** Moves a finger over the first row by a distance in pixels, and lifts it unless it `stays`. */
  async function swipe(right: number, { down = 0, stays = false } = {}): Promise<void> {
    const box = await rows(app().page).first().locator('.row-memory').boundingBox();
    if (box === null) throw new Error('There is no row.');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await touch('touchStart', { x, y });
    for (const part of [0.2, 0.4, 0.6, 0.8, 1]) await touch('touchMove', { x: x + right * part, y: y + down * part });
    if (!stays) await touch('touchEnd');
  }

  /** Waits until the code of the swipes, which is loaded on demand, has taken over the rows. */
  const swipesWork = () =>
    eventually(() =>
      rows(app().page)
        .first()
        .locator('.row-memory')
        .evaluate((row) => getComputedStyle(row).touchAction),
    ).toMatch(/pan-y/);

  test('SYS-57: a swipe to the right stars a memory, and one to the left archives it', async () => {
    const { page } = app();
    await app().open('/?q=is%3Ainbox');
    const first = () => rows(page).first();
    await first().getByRole('link', { name: 'Page 0' }).waitFor();
    await swipesWork();
    // Too short, or mostly down.
    await swipe(60);
    await swipe(120, { down: 200 });
    expect(await first().locator('.starred').count()).toBe(0);
    await swipe(120, { stays: true });
    expect(await first().locator('.row-memory').getAttribute('data-swipe')).toBe('Star');
    await touch('touchEnd');
    await expectOutcome(page, 'Starred.');
    await eventually(() => first().locator('.starred').count()).toBe(1);
    expect(await first().locator('.row-memory').getAttribute('data-swipe')).toBeNull();
    await swipe(120);
    await expectOutcome(page, 'Star removed.');
    await swipe(-120);
    await expectOutcome(page, 'Moved to Archive.');
    await first().getByRole('link', { name: 'Page 1', exact: true }).waitFor();
    await undo(page);
    await first().getByRole('link', { name: 'Page 0' }).waitFor();
    // No swipe opened a memory.
    expect(new URL(page.url()).search).toBe('?q=is%3Ainbox');
  });

  test('SYS-57: while memories are selected, a tap on a row selects it', async () => {
    const { page } = app();
    await swipesWork();
    const tap = async (at: number) => {
      const box = await rows(page).nth(at).locator('.row-memory').boundingBox();
      await touch('touchStart', { x: (box?.x ?? 0) + 200, y: (box?.y ?? 0) + 20 });
      await touch('touchEnd');
    };
    await rows(page).nth(0).getByRole('checkbox').check();
    await tap(1);
    await page.getByText('2 memories selected').waitFor();
    await tap(0);
    await page.getByText('1 memory selected').waitFor();
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    await tap(1);
    await page.waitForURL('**/memory/*');
  });

  test('SYS-57: a swipe in the archive moves a memory back to the inbox', async () => {
    const { page, server } = app();
    const [id = ''] = await app().save({ title: 'Done', pageText: 'Was read.', place: 'archive' });
    await app().open('/?q=is%3Aarchive');
    await expectTitles(page, ['Done']);
    await swipesWork();
    await swipe(-120);
    await expectOutcome(page, 'Moved to Inbox.');
    await expectTitles(page, []);
    expect((await server.client('getMemory', { parameters: { id } })).place).toBe('inbox');
  });
});
