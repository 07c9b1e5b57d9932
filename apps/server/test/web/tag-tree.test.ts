import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, expectTitles, rows, undo } from './open-app.js';

describeApp('the tree of tags', (app) => {
  const tree = () => app().page.getByRole('region', { name: 'Tag tree' });
  const node = (name: string) => tree().getByRole('link', { name, exact: true });
  const tagsOf = async (id: string) => (await app().server.client('getMemory', { parameters: { id } })).tags;
  let ids: string[];

  test('SYS-42: the navigation has the tags as a tree, counts with those below, and keeps what is open', async () => {
    const { page } = app();
    ids = await app().save(
      { title: 'One', pageText: 'The first text.', tags: ['dev/databases'], capturedAt: '2026-01-01T10:00:00Z' },
      { title: 'Two', pageText: 'The second text.', tags: ['dev/rust'], capturedAt: '2026-01-02T10:00:00Z' },
      { title: 'Three', pageText: 'The third text.', tags: ['tea'], capturedAt: '2026-01-03T10:00:00Z' },
    );
    await app().open('/everything');
    await node('dev 2 memories').waitFor();
    expect(await node('rust 1 memory').count()).toBe(0);
    const toggle = tree().getByRole('button', { name: 'Tags below dev' });
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    await toggle.focus();
    await page.keyboard.press('Enter');
    await node('rust 1 memory').waitFor();
    await page.reload();
    await node('rust 1 memory').waitFor();
    await node('dev 2 memories').click();
    await expectTitles(page, ['Two', 'One']);
    await eventually(() => node('dev 2 memories').getAttribute('aria-current')).toBe('page');
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await eventually(() => node('dev 2 memories').getAttribute('aria-current')).toBe(null);
    await node('dev 2 memories').click();
    await eventually(() => node('dev 2 memories').getAttribute('aria-current')).toBe('page');
  });

  test('SYS-42: a memory that is dropped on a tag gets it, with undo', async () => {
    const { page } = app();
    await app().open('/everything');
    await node('tea 1 memory').waitFor();
    await rows(page).getByRole('link', { name: 'One', exact: true }).dragTo(node('tea 1 memory'));
    await expectOutcome(page, 'tea added to 1 memory.');
    await eventually(() => tagsOf(ids[0] ?? '')).toEqual(['dev/databases', 'tea']);
    await undo(page);
    await eventually(() => tagsOf(ids[0] ?? '')).toEqual(['dev/databases']);
  });

  test('SYS-42: a memory that two windows drop on different tags at once gets both', async () => {
    const { page, context, server } = app();
    const other = await context.newPage();
    await other.goto(`${server.address}/everything`);
    const drop = async (window: typeof page, name: string) => {
      const tag = window.getByRole('region', { name: 'Tag tree' }).getByRole('link', { name: new RegExp(`^${name} `) });
      await rows(window).getByRole('link', { name: 'Three', exact: true }).dragTo(tag);
    };
    await Promise.all([drop(page, 'dev'), drop(other, 'rust')]);
    await eventually(async () => (await tagsOf(ids[2] ?? '')).toSorted()).toEqual(['dev', 'dev/rust', 'tea']);
    for (const window of [page, other])
      await eventually(() => rows(window).first().locator('.row-tag').allTextContents()).toHaveLength(3);
    await drop(other, 'dev');
    await expectOutcome(other, 'Nothing changed.');
    await server.client('updateMemory', { parameters: { id: ids[2] ?? '' }, body: { tags: ['tea'] } });
    await node('dev 2 memories').waitFor();
    await other.close();
  });

  test('SYS-42: a menu renames and removes a branch, and says which tags go with it', async () => {
    const { page } = app();
    await tree().getByRole('button', { name: 'Change dev', exact: true }).click();
    await page.getByRole('button', { name: 'Rename or merge' }).click();
    const field = page.getByRole('dialog').getByRole('combobox', { name: 'New name' });
    await field.fill('dev/old');
    await page.keyboard.press('Enter');
    await page.getByText('The tag dev cannot be moved below itself.').waitFor();
    await field.fill('/code//');
    await page.keyboard.press('Enter');
    await expectOutcome(page, 'dev renamed to code in 2 memories.');
    await node('code 2 memories').waitFor();
    await tree().getByRole('button', { name: 'Change code', exact: true }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove 3 tags?' });
    await dialog.getByText('This also removes the tags below: code/databases, code/rust.').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await eventually(() => node('code 2 memories').count()).toBe(0);
    await undo(page);
    await node('code 2 memories').waitFor();
  });

  test('SYS-42: the field for tags completes by letters, makes chips, and counts the tags of a selection', async () => {
    const { page } = app();
    await page.getByRole('checkbox', { name: 'Select One' }).check();
    await page.getByRole('checkbox', { name: 'Select Two' }).check();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Add tag' });
    const offers = dialog.getByRole('option');
    await eventually(() => offers.allTextContents()).toEqual(['tea', 'code/ruston 1 of 2', 'code/databaseson 1 of 2']);
    await page.keyboard.type('cdb');
    await eventually(() => offers.allTextContents()).toEqual(['code/databaseson 1 of 2']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByRole('list', { name: 'Chosen tags' }).getByText('code/databases').waitFor();
    await page.keyboard.type('new,');
    await dialog.getByRole('list', { name: 'Chosen tags' }).getByText('new').waitFor();
    await page.keyboard.press('Enter');
    await expectOutcome(page, 'code/databases, new added to 2 memories.');
    await eventually(() => tagsOf(ids[1] ?? '')).toEqual(['code/rust', 'code/databases', 'new']);
  });
});
