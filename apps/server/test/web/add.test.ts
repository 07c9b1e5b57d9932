import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, expectTitles } from './open-app.js';

describeApp('adding', (app) => {
  const dialog = () => app().page.getByRole('dialog', { name: 'Add', exact: true });
  const open = () => app().page.getByRole('button', { name: 'Add', exact: true }).click();

  test('SYS-18: one field takes a text, which becomes a note', async () => {
    const { page } = app();
    await app().open('/everything');
    await open();
    await dialog().getByRole('textbox', { name: 'Link or text' }).fill('Green tea is steeped below boiling.');
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await expectOutcome(page, 'Saved.');
    await eventually(() => dialog().count()).toBe(0);
    await expectTitles(page, ['Green tea is steeped below boiling.']);
  });

  test('SYS-18: a link is saved, also where its page cannot be fetched', async () => {
    const { page, server } = app();
    await open();
    await dialog().getByRole('textbox', { name: 'Link or text' }).fill('https://lamps.example/oil');
    await dialog().getByRole('button', { name: 'Save this page' }).click();
    await expectOutcome(page, /^Only the link was saved\./);
    const { memories } = await server.client('listMemories', { query: { filter: 'is:link' } });
    expect(memories).toMatchObject([{ url: 'https://lamps.example/oil' }]);
    await app().open(`/memory/${memories[0]?.id}`);
    await page.getByText('Only the link was saved.').waitFor();
    await page.getByRole('button', { name: 'Fetch the page' }).click();
    await expectOutcome(page, 'This deployment gets no pages from the network.');
  });

  test('SYS-18: a link that is typed into the search can be saved', async () => {
    const { page, server } = app();
    await app().open('/everything');
    await page.getByRole('searchbox').fill('https://tea.example/green');
    await page.getByRole('button', { name: 'Save this page' }).click();
    await expectOutcome(page, /^Only the link was saved\./);
    await eventually(async () => (await server.client('countMemories', { query: { filter: 'is:link' } })).total).toBe(
      2,
    );
    await eventually(() => page.getByRole('searchbox').inputValue()).toBe('');
  });

  test('SYS-18: Settings count the links without a page, and say why none is fetched', async () => {
    const { page } = app();
    await app().open('/settings/import-export');
    await page.getByText('Of 2 memories, only the link was saved.').waitFor();
    await page.getByRole('button', { name: 'Fetch 2 pages' }).click();
    await expectOutcome(page, 'This deployment gets no pages from the network.');
    await page.getByRole('checkbox', { name: 'Fetch the page when I add a link' }).uncheck();
    await open();
    await dialog().getByRole('textbox', { name: 'Link or text' }).fill('https://oil.example/');
    await page.keyboard.press('Enter');
    await expectOutcome(page, 'Link saved.');
  });

  test('SYS-18: each file that is saved has a card', async () => {
    const { page } = app();
    await app().open('/everything');
    await open();
    const choosing = page.waitForEvent('filechooser');
    await dialog().getByRole('button', { name: 'Choose files' }).click();
    await (await choosing).setFiles([
      { name: 'tea.txt', mimeType: 'text/plain', buffer: Buffer.from('Black tea takes boiling water.') },
      { name: 'noise.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2, 255]) },
    ]);
    const cards = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
    await eventually(() => cards.allTextContents()).toEqual(['tea.txtSaved', 'noise.binNot saved']);
  });
});
