import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, expectTitles, focused, undo } from './open-app.js';

describeApp('tags and trash', (app) => {
  const button = (name: string) => app().page.getByRole('button', { name, exact: true });
  const tags = () =>
    app()
      .page.getByRole('list', { name: 'Tags' })
      .getByRole('listitem')
      .evaluateAll((items) =>
        items.map((item) => `${item.querySelector('a')?.textContent} ${item.querySelector('.tag-count')?.textContent}`),
      );

  test('say what they are for while there are none', async () => {
    const { page } = app();
    await app().open('/tags');
    await page.getByRole('heading', { name: 'There are no tags yet.' }).waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('heading', { name: 'The trash is empty.' }).waitFor();
    await eventually(() => focused(page)).toBe('h1 Trash');
    await page.goBack();
    await eventually(() => focused(page)).toBe('h1 Tags');
  });

  test('are listed with their counts, the most frequent first', async () => {
    await app().save(
      { title: 'One', pageText: 'The first text.', tags: ['lamp', 'oil'], capturedAt: '2026-01-01T10:00:00Z' },
      { title: 'Two', pageText: 'The second text.', tags: ['lamp', 'Lamps'], capturedAt: '2026-01-02T10:00:00Z' },
      { title: 'Three', pageText: 'The third text.', tags: ['lamp', 'rare'], capturedAt: '2026-01-03T10:00:00Z' },
    );
    await eventually(tags).toEqual(['lamp 3 memories', 'Lamps 1 memory', 'oil 1 memory', 'rare 1 memory']);
  });

  test('are filtered by name and by "used once"', async () => {
    const { page } = app();
    await page.getByRole('textbox', { name: 'Filter tags' }).fill('LAM');
    await eventually(tags).toEqual(['lamp 3 memories', 'Lamps 1 memory']);
    await button('Used once').click();
    await eventually(tags).toEqual(['Lamps 1 memory']);
    expect(await button('Used once').getAttribute('aria-pressed')).toBe('true');
    await button('Used once').click();
    await page.getByRole('textbox', { name: 'Filter tags' }).fill('');
  });

  test('are sorted by use, name and last use', async () => {
    const { page } = app();
    const names = async () => (await tags()).map((tag) => tag.replace(/ \d.*/, ''));
    const sort = page.getByRole('combobox', { name: 'Sort' });
    await sort.selectOption('Name');
    await eventually(names).toEqual(['lamp', 'Lamps', 'oil', 'rare']);
    await sort.selectOption('Last used');
    await eventually(names).toEqual(['lamp', 'rare', 'Lamps', 'oil']);
    await sort.selectOption('Most used');
    await eventually(names).toEqual(['lamp', 'Lamps', 'oil', 'rare']);
  });

  test('MEM-20: have a colour that the store keeps', async () => {
    const { page } = app();
    const row = page.getByRole('list', { name: 'Tags' }).getByRole('listitem').filter({ hasText: 'oil' });
    const colour = () => row.locator('.tag-dot').evaluate((dot) => getComputedStyle(dot).backgroundColor);
    const none = await colour();
    await button('Colour of oil').click();
    const dialog = page.getByRole('dialog', { name: 'Colour of oil' });
    await dialog.getByText('green').click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
    await eventually(colour).not.toBe(none);
    const green = await colour();
    await page.reload();
    await row.waitFor();
    expect(await colour()).toBe(green);
  });

  test('MEM-20, SYS-42: have an icon, which rows, the reader and chips show', async () => {
    const { page, server } = app();
    await server.client('changeTagLook', { body: { tag: 'rare', icon: '🦉' } });
    const [memory] = (await server.client('listMemories', { query: { tag: 'rare' } })).memories;
    await app().open('/?q=tag%3Arare');
    const icon = (place: string) => page.locator(`${place} .tag-icon`).textContent();
    expect(await icon('.row-tag')).toBe('🦉');
    await app().open(`/memory/${memory?.id}`);
    expect(await icon('.reader-tags .row-tag')).toBe('🦉');
    await button('Edit tags').click();
    expect(await icon('.reader-tags .chip')).toBe('🦉');
    await server.client('changeTagLook', { body: { tag: 'rare', icon: null } });
    await app().open('/tags');
  });

  test('are renamed by keyboard, and the change undone', async () => {
    const { page } = app();
    await button('Rename oil').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Rename oil' }).waitFor();
    await eventually(() => focused(page)).toBe('input New name');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('paraffin');
    await page.keyboard.press('Enter');
    await expectOutcome(page, 'oil renamed to paraffin in 1 memory.');
    await eventually(tags).toContain('paraffin 1 memory');
    await undo(page);
    await eventually(tags).toContain('oil 1 memory');
    // A tag that exists keeps its spelling.
    await button('Rename oil').click();
    await page.getByRole('combobox', { name: 'New name' }).fill('RARE');
    await page.keyboard.press('Enter');
    await expectOutcome(page, 'oil renamed to rare in 1 memory.');
    await eventually(tags).not.toContain('oil 1 memory');
    await undo(page);
    await eventually(tags).toContain('oil 1 memory');
  });

  test('are merged, and the change undone', async () => {
    const { page } = app();
    await page.getByRole('checkbox', { name: 'Select lamp', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Select Lamps', exact: true }).check();
    await button('Merge 2 tags').click();
    await page.getByRole('dialog', { name: 'Merge 2 tags' }).getByRole('combobox', { name: 'New name' }).fill('lamp');
    await button('Merge').click();
    await eventually(tags).toEqual(['lamp 3 memories', 'oil 1 memory', 'rare 1 memory']);
    await eventually(() => page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await undo(page);
    await eventually(tags).toContain('Lamps 1 memory');
    // Cancelling changes nothing.
    await page.getByRole('checkbox', { name: 'Select lamp', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Select Lamps', exact: true }).check();
    await button('Merge 2 tags').click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => focused(page)).toBe('button Merge 2 tags');
    await eventually(() => page.getByRole('checkbox', { checked: true }).count()).toBe(2);
    await page.getByRole('checkbox', { name: 'Select lamp', exact: true }).uncheck();
    await page.getByRole('checkbox', { name: 'Select Lamps', exact: true }).uncheck();
  });

  test('are removed one by one and together, and the change undone', async () => {
    const { page } = app();
    await button('Remove rare').focus();
    await page.keyboard.press('Enter');
    await expectOutcome(page, 'rare removed in 1 memory.');
    await eventually(tags).not.toContain('rare 1 memory');
    await eventually(() => focused(page)).toBe('button Remove oil');
    await undo(page);
    await eventually(tags).toContain('rare 1 memory');
    await page.getByRole('checkbox', { name: 'Select rare' }).check();
    await page.getByRole('checkbox', { name: 'Select oil' }).check();
    await button('Remove 2 tags').click();
    await eventually(tags).toEqual(['lamp 3 memories', 'Lamps 1 memory']);
    await undo(page);
    await eventually(tags).toContain('oil 1 memory');
  });

  test('lead to their memories', async () => {
    const { page } = app();
    await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'lamp', exact: true }).click();
    await expectTitles(page, ['Three', 'Two', 'One']);
    await eventually(() => page.locator('.search-box .chip').allTextContents()).toEqual(['tag:lamp']);
  });

  test('the trash restores what was deleted', async () => {
    const { page, server } = app();
    const { memories } = await server.client('listMemories', { query: {} });
    await server.client('changeMemories', { body: { ids: memories.map(({ id }) => id), delete: true } });
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    const deleted = page.getByRole('list', { name: 'Deleted memories' }).getByRole('listitem');
    await eventually(() => deleted.count()).toBe(3);
    expect(await deleted.first().textContent()).toContain('30 days left');
    const two = deleted.filter({ hasText: 'Two' });
    await two.getByRole('button', { name: 'Restore' }).focus();
    await page.keyboard.press('Enter');
    await expectOutcome(page, 'Restored.');
    await eventually(() => deleted.count()).toBe(2);
    await eventually(() => focused(page)).toBe('button Restore');
    await undo(page);
    await eventually(() => deleted.count()).toBe(3);
    await two.getByRole('button', { name: 'Restore' }).click();
    await eventually(() => deleted.count()).toBe(2);
    await eventually(async () => (await server.client('countMemories', { query: {} })).total).toBe(1);
  });

  test('the trash shows one memory, and deletes it alone permanently', async () => {
    const { page, server } = app();
    const [id = ''] = await app().save({ title: 'Draft', pageText: 'A **bold** draft.' });
    await server.client('deleteMemory', { parameters: { id } });
    const deleted = page.getByRole('list', { name: 'Deleted memories' }).getByRole('listitem');
    await eventually(() => deleted.count()).toBe(3);
    await button('Draft').click();
    const shown = page.getByRole('dialog', { name: 'Draft' });
    await eventually(() => shown.getByRole('region', { name: 'Text' }).locator('strong').textContent()).toBe('bold');
    await shown.getByRole('button', { name: 'Delete permanently' }).click();
    const question = page.getByRole('dialog', { name: 'Delete 1 memory permanently?' });
    await question.getByText('“Draft” will be permanently deleted. This cannot be undone.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await button('Draft').click();
    await shown.getByRole('button', { name: 'Delete permanently' }).click();
    await question.getByRole('button', { name: 'Delete permanently' }).click();
    await expectOutcome(page, '1 memory permanently deleted.');
    await eventually(() => deleted.count()).toBe(2);
  });

  test('the trash restores and deletes several', async () => {
    const { page, server } = app();
    const ids = await app().save(
      ...['A', 'B', 'C', 'D'].map((title) => ({ title, pageText: `The text of ${title}.` })),
    );
    await server.client('changeMemories', { body: { ids, delete: true } });
    const deleted = page.getByRole('list', { name: 'Deleted memories' }).getByRole('listitem');
    await eventually(() => deleted.count()).toBe(6);
    for (const name of ['A', 'B']) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
    await page.getByText('2 memories selected').waitFor();
    await button('Restore 2').click();
    await expectOutcome(page, '2 memories restored.');
    await eventually(() => deleted.count()).toBe(4);
    await button('Empty the trash').waitFor();
    await server.client('changeMemories', { body: { ids: ids.slice(0, 2), delete: true } });
    await eventually(() => deleted.count()).toBe(6);
    for (const name of ['A', 'B', 'C', 'D'])
      await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
    await button('Delete 4 permanently').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
    await expectOutcome(page, '4 memories permanently deleted.');
    await eventually(() => deleted.count()).toBe(2);
  });

  test('the trash is emptied after a confirmation', async () => {
    const { page, server } = app();
    await button('Empty the trash').click();
    const dialog = page.getByRole('dialog', { name: 'Empty the trash?' });
    await dialog.getByText('2 memories will be permanently deleted. This cannot be undone.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await eventually(() => dialog.count()).toBe(0);
    expect((await server.client('listTrash', { query: {} })).total).toBe(2);
    await button('Empty the trash').click();
    await dialog.waitFor();
    // Memories that are deleted after the question stay.
    const [late] = (await server.client('listMemories', { query: {} })).memories;
    await server.client('deleteMemory', { parameters: { id: late?.id ?? '' } });
    const deleted = page.getByRole('list', { name: 'Deleted memories' }).getByRole('listitem');
    await eventually(() => deleted.count()).toBe(3);
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await expectOutcome(page, '2 memories permanently deleted.');
    await eventually(() => deleted.count()).toBe(1);
    await button('Empty the trash').click();
    await dialog.getByText('1 memory will be permanently deleted.').waitFor();
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('heading', { name: 'The trash is empty.' }).waitFor();
    await eventually(async () => (await server.client('listTrash', { query: {} })).total).toBe(0);
  });
});
