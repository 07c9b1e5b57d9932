import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, expectTitles, rows, undo } from './open-app.js';

const DAY = 86_400_000;
const at = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY).toISOString();

describeApp('the home page and the places', (app) => {
  const link = (name: RegExp | string) =>
    app().page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });
  const shelf = (name: string) => app().page.getByRole('region', { name, exact: true });
  const shelves = () => app().page.locator('.shelf h2').allTextContents();
  const placeOf = async (id: string) => (await app().server.client('getMemory', { parameters: { id } })).place;
  let ids: string[];

  test('SYS-40: the home page teaches the first steps, and has no empty shelf', async () => {
    const { page } = app();
    await app().open('/');
    await page.getByRole('heading', { name: 'Welcome to Recollect' }).waitFor();
    expect(await shelves()).toEqual([]);
    ids = await app().save(
      { title: 'Rivers', pageText: 'Rivers carve their beds slowly.', capturedAt: at(3) },
      { title: 'Apples', pageText: 'Apples keep in a cold room.', capturedAt: at(2) },
      { title: 'Last year', pageText: 'A walk along the river.', capturedAt: at(365), place: 'archive' },
    );
    await shelf('From a year ago').getByRole('link', { name: 'Last year', exact: true }).waitFor();
    await eventually(shelves).toEqual(['Recently saved', 'From a year ago']);
    expect(await page.getByRole('heading', { name: 'Welcome to Recollect' }).count()).toBe(0);
  });

  test('SYS-40: shelves have what was begun, highlights of other days and saved searches', async () => {
    const { page, server } = app();
    const [rivers = ''] = ids;
    await server.client('updateMemory', { parameters: { id: rivers }, body: { progress: 0.4, opened: true } });
    await server.client('createSavedSearch', { body: { name: 'Cold', query: 'is:inbox' } });
    await server.client('createSavedSearch', { body: { name: 'Nothing', query: 'tag:nothing' } });
    await app().open('/');
    await shelf('Cold').getByRole('link', { name: 'Apples', exact: true }).waitFor();
    expect(await shelves()).toEqual(['Continue reading', 'Recently saved', 'From a year ago', 'Cold']);
    await shelf('Continue reading').getByText('40 % read').waitFor();
    await page.getByText('2 in the inbox').waitFor();
    await shelf('Cold').getByRole('link', { name: 'All of Cold' }).click();
    await expectTitles(page, ['Apples', 'Rivers']);
    await link('Home').click();
    await server.client('createHighlight', { parameters: { id: rivers }, body: { quote: 'Rivers carve' } });
    // A highlight of today is not reviewed today.
    expect((await server.client('highlightsToReview', { query: {} })).highlights).toEqual([]);
    await shelf('Recently saved').getByRole('link', { name: 'Apples', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Apples' }).waitFor();
  });

  test('SYS-41: keys and buttons move memories between the inbox, later and the archive, with undo', async () => {
    const { page } = app();
    const [rivers = '', apples = ''] = ids;
    await app().open('/?q=is%3Ainbox');
    await expectTitles(page, ['Apples', 'Rivers']);
    await link('Inbox 2 memories').waitFor();
    await eventually(() => link(/^Inbox/).getAttribute('aria-current')).toBe('page');
    await page.keyboard.press('j');
    await page.keyboard.press('l');
    await expectOutcome(page, 'Moved to Later.');
    await expectTitles(page, ['Rivers']);
    expect(await placeOf(apples)).toBe('later');
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Rivers');
    await link('Later 1 memory').waitFor();
    await undo(page);
    await expectTitles(page, ['Apples', 'Rivers']);
    await page.getByRole('checkbox', { name: 'Select Apples' }).check();
    await page.getByRole('checkbox', { name: 'Select Rivers' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Move to Archive' }).click();
    await expectOutcome(page, '2 memories moved to Archive.');
    await page.getByRole('heading', { name: 'Inbox zero' }).waitFor();
    await eventually(() => link(/^Inbox/).textContent()).toBe('Inbox');
    await link('Archive').click();
    await expectTitles(page, ['Apples', 'Rivers', 'Last year']);
    await rows(page).first().hover();
    await page.getByRole('button', { name: 'Move Apples to Inbox' }).click();
    await expectTitles(page, ['Rivers', 'Last year']);
    await app().open(`/memory/${rivers}`);
    await page.locator('article[aria-busy="false"]').waitFor();
    await page.keyboard.press('l');
    await expectOutcome(page, 'Moved to Later.');
    await eventually(() => placeOf(rivers)).toBe('later');
  });
});
