import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, undo } from './open-app.js';

describeApp('changes of very many memories', (app) => {
  const button = (name: string) => app().page.getByRole('button', { name, exact: true });
  const dialog = (name: string) => app().page.getByRole('dialog', { name, exact: true });
  const total = async (filter: { tag?: string } = {}) =>
    (await app().server.client('countMemories', { query: filter })).total;
  const addTag = async (tag: string) => {
    await button('Add tag').click();
    await dialog('Add tag').getByRole('combobox').fill(tag);
    await app().page.keyboard.press('Enter');
  };

  test('what changed before a failure is counted, and all of it can be undone', async () => {
    const { page } = app();
    const many = Array.from({ length: 1_050 }, (_, at) => ({
      title: `Cup ${at}`,
      pageText: `Cup number ${at}.`,
      tags: at % 3 === 0 ? ['blue'] : [],
    }));
    await app().save(...many);
    await app().open('/everything');
    await page.getByLabel('Select Cup 1049', { exact: true }).waitFor();
    await eventually(async () => {
      await page.mouse.wheel(0, 20_000);
      return page.getByLabel('Select Cup 0', { exact: true }).count();
    }).toBe(1);
    await page.keyboard.press('*');
    await page.keyboard.press('a');
    await page.getByText('1,050 memories selected').waitFor();
    await eventually(() => page.getByRole('button', { name: 'Select all 1,050 memories' }).count()).toBe(0);
    let requests = 0;
    await page.route('**/api/v1/memories/change', (route) => {
      requests += 1;
      const body = JSON.stringify({ title: 'CONFLICT', status: 409, code: 'CONFLICT', detail: 'Another came first.' });
      return requests === 1
        ? route.fallback()
        : route.fulfill({ status: 409, contentType: 'application/problem+json', body });
    });
    await addTag('cups');
    await expectOutcome(page, 'Only 1,000 of 1,050 memories changed. Another came first.');
    await page.unrouteAll();
    expect(await total({ tag: 'cups' })).toBe(1_000);
    await undo(page);
    await expectOutcome(page, 'Undone.');
    expect(await total({ tag: 'cups' })).toBe(0);
  });

  test('all that are listed can be selected, also those that are not loaded', async () => {
    const { page } = app();
    await app().open('/?q=tag:blue');
    await page.locator('#main').getByText('350 memories', { exact: true }).waitFor();
    await page.keyboard.press('*');
    await page.keyboard.press('a');
    await page.getByText('100 memories selected').waitFor();
    await button('Select all 350 memories').click();
    await page.getByText('350 memories selected').waitFor();
    await addTag('cups');
    await expectOutcome(page, 'cups added to 350 memories.');
    expect(await total({ tag: 'cups' })).toBe(350);
    await undo(page);
    await expectOutcome(page, 'Undone.');
    expect(await total({ tag: 'cups' })).toBe(0);
    // Taking one away leaves the others that are loaded.
    await page.getByRole('checkbox', { name: 'Select Cup 1047', exact: true }).click();
    await page.getByText('99 memories selected').waitFor();
    await eventually(() => page.getByRole('button', { name: 'Select all 350 memories' }).count()).toBe(0);
  });

  test('everything is deleted only after its number was shown, and comes back with Undo', async () => {
    const { page } = app();
    await app().open('/everything');
    await page.locator('#main').getByText('1,050 memories', { exact: true }).waitFor();
    await page.keyboard.press('*');
    await page.keyboard.press('a');
    await button('Select all 1,050 memories').click();
    await page.keyboard.press('#');
    await dialog('Delete 1,050 memories?').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('1,050 memories selected').waitFor();
    expect(await total()).toBe(1_050);
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await dialog('Delete 1,050 memories?').getByRole('button', { name: 'Move to the trash' }).click();
    await expectOutcome(page, '1,050 memories moved to the trash.');
    await page.getByRole('heading', { name: 'Welcome to Recollect' }).waitFor();
    expect(await total()).toBe(0);
    await undo(page);
    await expectOutcome(page, 'Undone.');
    await page.locator('#main').getByText('1,050 memories', { exact: true }).waitFor();
  });

  test('results of words cannot be selected beyond those that are listed', async () => {
    const { page } = app();
    await app().open('/?q=cup');
    await page.getByText('Top 50 results').waitFor();
    await page.keyboard.press('*');
    await page.keyboard.press('a');
    await page.getByText('50 memories selected').waitFor();
    await eventually(() => page.getByRole('button', { name: /^Select all \d/ }).count()).toBe(0);
  });
});
