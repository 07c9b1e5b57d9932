import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, expectTitles, focused } from './open-app.js';

describeApp('keys', (app) => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await app().page.keyboard.press(key);
  };
  const heading = (name: string) => app().page.getByRole('heading', { level: 1, name, exact: true });
  const dialog = (name: string) => app().page.getByRole('dialog', { name, exact: true });
  const selected = () =>
    app()
      .page.getByText(/ selected$/)
      .allTextContents();

  test('the skip link comes first and leads to the content', async () => {
    const { page } = app();
    await app().save(
      { title: 'One', pageText: 'The first text.', capturedAt: '2026-01-01T10:00:00Z' },
      { title: 'Two', pageText: 'The second text.', capturedAt: '2026-01-02T10:00:00Z' },
      { title: 'Three', pageText: 'The third text.', capturedAt: '2026-01-03T10:00:00Z' },
    );
    await app().open('/everything');
    await expectTitles(page, ['Three', 'Two', 'One']);
    await press('Tab');
    expect(await focused(page)).toBe('a Skip to the content');
    await eventually(() =>
      page.getByText('Skip to the content').evaluate((link) => link.getBoundingClientRect().top),
    ).toBeGreaterThan(0);
    await press('Enter');
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    // After the order, the view and the box of the memory.
    await press('Tab', 'Tab', 'Tab', 'Tab');
    expect(await focused(page)).toBe('a Three');
  });

  test('j, k and the arrows move, o and Enter open, u goes back', async () => {
    const { page } = app();
    await app().open('/everything');
    await expectTitles(page, ['Three', 'Two', 'One']);
    await press('j');
    await eventually(() => focused(page)).toBe('a Three');
    await press('ArrowDown');
    await eventually(() => focused(page)).toBe('a Two');
    await press('j');
    await eventually(() => focused(page)).toBe('a One');
    await press('j');
    await eventually(() => focused(page)).toBe('a One');
    await press('k');
    await eventually(() => focused(page)).toBe('a Two');
    await press('ArrowUp');
    await eventually(() => focused(page)).toBe('a Three');
    await press('ArrowDown');
    await eventually(() => focused(page)).toBe('a Two');
    await press('o');
    await heading('Two').waitFor();
    await press('u');
    await eventually(() => focused(page)).toBe('a Two');
    await press('Enter');
    await heading('Two').waitFor();
    await press('u');
    await eventually(() => focused(page)).toBe('a Two');
  });

  test('x selects, * a selects all, * n and Escape none', async () => {
    await press('x');
    await eventually(selected).toEqual(['1 memory selected']);
    await press('x');
    await eventually(selected).toEqual([]);
    await press('*', 'a');
    await eventually(selected).toEqual(['3 memories selected']);
    await press('Shift+*', 'n');
    await eventually(selected).toEqual([]);
    await eventually(() => app().page.getByRole('dialog').count()).toBe(0);
    await press('x', 'Escape');
    await eventually(selected).toEqual([]);
  });

  test('e adds tags and # deletes, each with undo', async () => {
    const { page } = app();
    await press('e');
    await dialog('Add tag').waitFor();
    await eventually(() => focused(page)).toBe('input Tags, separated by commas');
    await page.keyboard.type('lamp');
    await press('Enter');
    await expectOutcome(page, 'lamp added to 1 memory.');
    await eventually(() => focused(page)).toBe('a Two');
    await press('Shift+#');
    await expectOutcome(page, 'Moved to the trash.');
    await expectTitles(page, ['Three', 'One']);
    // The next row has the focus, so keyboard navigation continues from there.
    await eventually(() => focused(page)).toBe('a One');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).focus();
    await press('Enter');
    await expectTitles(page, ['Three', 'Two', 'One']);
    await eventually(() => focused(page)).toBe('a One');
  });

  test('g and a letter go to the pages, whose heading gets the focus', async () => {
    const { page } = app();
    for (const [letter, name, title = name] of [
      ['l', 'Highlights'],
      ['t', 'Tags'],
      ['d', 'Trash'],
      ['s', 'Settings', 'Connect'],
      ['e', 'Everything'],
    ] as const) {
      await press('g', letter);
      await heading(title).waitFor();
      await eventually(() => focused(page)).toBe(`h1 ${title}`);
      expect(await page.title()).toBe(`${title} – Recollect`);
      const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current=page]');
      expect(await current.textContent()).toBe(name);
    }
  });

  test('the navigation leads to the pages by mouse', async () => {
    const { page } = app();
    for (const [name, title = name] of [
      ['Highlights'],
      ['Tags'],
      ['Trash'],
      ['Settings', 'Connect'],
      ['Everything'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
      await heading(title).waitFor();
      await eventually(() => focused(page)).toBe(`h1 ${title}`);
    }
  });

  test('? shows all keys', async () => {
    const { page } = app();
    await press('?');
    await dialog('Keys').waitFor();
    const keys = await dialog('Keys').locator('dt').allTextContents();
    for (const key of [
      '/',
      'j or ↓',
      'k or ↑',
      'o or Enter',
      'x',
      '* a',
      '* n',
      '#',
      'e',
      'n',
      'u',
      'g h',
      'g e',
      'i',
      'l',
      'a',
      'g t',
      'g d',
      'g s',
      '?',
      'Ctrl k',
    ])
      expect(keys).toContain(key);
    await press('Escape');
    await eventually(() => dialog('Keys').count()).toBe(0);
    await press('Shift+?');
    await dialog('Keys').getByRole('button', { name: 'Close' }).click();
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('keys do nothing in a field, with modifiers, or while a dialog is open', async () => {
    const { page } = app();
    await expectTitles(page, ['Three', 'Two', 'One']);
    await press('j');
    await eventually(() => focused(page)).toBe('a Three');
    for (const key of ['Control+x', 'Alt+x', 'Control+#', 'Alt+#', 'Alt+n', 'Alt+e', 'Control+j']) await press(key);
    expect([await selected(), await focused(page)]).toEqual([[], 'a Three']);
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
    await press('/');
    await eventually(() => focused(page)).toBe('input Search');
    await page.keyboard.type('xne#?*a');
    expect(await page.getByRole('searchbox').inputValue()).toBe('xne#?*a');
    expect([await selected(), await page.getByRole('dialog').count()]).toEqual([[], 0]);
    // The rows below are then new ones, which keep the focus, and not those before the search.
    await expectTitles(page, []);
    await press('Escape', 'Escape');
    await expectTitles(page, ['Three', 'Two', 'One']);
    await press('j');
    await eventually(() => focused(page)).toBe('a Three');
    await press('?');
    await dialog('Keys').waitFor();
    // Beside the content of the dialog nothing has the focus.
    await dialog('Keys').getByRole('heading').click();
    await press('x', '#', 'n', 'g', 't');
    expect([await page.getByRole('dialog').count(), await page.title()]).toEqual([1, 'Everything – Recollect']);
    await press('Escape');
    await expectTitles(page, ['Three', 'Two', 'One']);
    expect(await selected()).toEqual([]);
  });
});
