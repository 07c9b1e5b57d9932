import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { beforeAll, expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, expectTitles, focused, undo } from './open-app.js';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

describeApp('history and versions', (app) => {
  let ids: string[] = [];
  const dialog = () => app().page.getByRole('dialog');
  const button = (name: string) => app().page.getByRole('button', { name, exact: true });
  const article = () => app().page.getByRole('article');

  beforeAll(async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await app().context.addInitScript({ content: axe });
    const url = 'https://lamps.example/oil';
    ids = await app().save(
      {
        title: 'Lamps in winter',
        url,
        pageText: 'Lamps burn colza oil.\n\nThey are dim.',
        capturedAt: '2026-01-02T10:00:00Z',
      },
      {
        title: 'Lamps in spring',
        url,
        pageText: 'Lamps burn paraffin oil.\n\nThey are dim.',
        capturedAt: '2026-04-02T10:00:00Z',
      },
      { title: 'A note', pageText: 'Before the edit.', tags: ['old'] },
    );
  });

  /** The findings of axe in the dialog. */
  const violations = async () => {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await app().page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      found.push(
        ...(await app().page.evaluate(async (rules) => {
          // biome-ignore lint/suspicious/noExplicitAny: axe has no types in the page.
          const { violations } = await (window as any).axe.run(document, { runOnly: rules });
          return violations.map(({ id }: { id: string }) => id) as string[];
        }, RULES)),
      );
    }
    return found;
  };

  test('MEM-11: search shows one result for the versions of a page, and the reader compares them', async () => {
    const { page } = app();
    await app().open('/?q=lamps%20colza');
    await expectTitles(page, ['Lamps in winter']);
    await page.getByText('2 versions').waitFor();
    await page.locator('a.row-title').first().click();
    const versions = page.getByRole('list', { name: 'Versions of this page' });
    await versions.getByRole('link', { name: 'Lamps in spring' }).waitFor();
    await eventually(() => page.getByRole('list', { name: 'Other versions of this page' }).count()).toBe(0);
    await versions.getByRole('button', { name: /^Compare with Lamps in spring/ }).click();
    await dialog().getByText('1 passage removed, 1 added.').waitFor();
    const compared = dialog().getByRole('region', { name: 'Compared texts' });
    expect(await compared.locator('del').innerText()).toContain('colza');
    expect(await compared.locator('ins').innerText()).toContain('paraffin');
    await eventually(() => dialog().getByText('Lamps in spring').count()).toBe(1);
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await eventually(() => dialog().count()).toBe(0);
    expect(await focused(page)).toMatch(/^button Compare with Lamps in spring/);
  });

  test('MEM-10: a former state is viewed and restored, and the restoration undone', async () => {
    const { page, server } = app();
    const [, , note = ''] = ids;
    await server.client('updateMemory', {
      parameters: { id: note },
      body: { text: 'After the edit.', title: 'An edited note', tags: ['new'] },
    });
    await app().open(`/memory/${note}`);
    await eventually(() => button('View as change 1 left it').count()).toBe(0);
    await button('View as it was saved').click();
    await dialog().getByText('1 passage removed, 1 added.').waitFor();
    const fields = await dialog().locator('.compared-fields').innerText();
    for (const value of ['A note', 'An edited note', 'old', 'new']) expect(fields).toContain(value);
    expect(await violations()).toEqual([]);
    await button('Show the older text').click();
    await dialog().getByRole('region', { name: 'The older text' }).getByText('Before the edit.').waitFor();
    await button('Restore').click();
    await expectOutcome(page, 'Restored.');
    await eventually(() => dialog().count()).toBe(0);
    await article().getByText('Before the edit.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'A note' }).waitFor();
    await undo(page);
    await expectOutcome(page, 'Undone.');
    await article().getByText('After the edit.').waitFor();
    await page.getByRole('list', { name: 'History' }).getByText('Changed title, tags, text').first().waitFor();
  });

  test('MEM-5: the history shows what each change replaced, and undoes it only for this memory', async () => {
    const { page, server } = app();
    const save = async (pageText: string) =>
      (await server.client('capture', { body: { pageText, tags: ['first'] } })).captures[0]?.id ?? '';
    const [one, other] = [await save('One of two.'), await save('The other.')];
    await server.client('changeMemories', { body: { ids: [one, other], addTags: ['second'] } });
    await server.client('updateMemory', { parameters: { id: one }, body: { title: 'Renamed' } });
    await app().open(`/memory/${one}`);
    const history = page.getByRole('list', { name: 'History' });
    await history.getByText('Title was One of two.').waitFor();
    await history.getByText('Tags was first').waitFor();
    expect(await violations()).toEqual([]);
    await button('Undo change 1').click();
    await expectOutcome(page, 'Undone.');
    const tagsOf = async (id: string) => (await server.client('getMemory', { parameters: { id } })).tags;
    expect([await tagsOf(one), await tagsOf(other)]).toEqual([['first'], ['first', 'second']]);
    await button('Undo change 1').click();
    await expectOutcome(page, 'Not undone, because it was changed again since. View shows what was there.');
    await button('Undo change 2').click();
    await page.getByRole('heading', { level: 1, name: 'One of two.' }).waitFor();
  });
});
