import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, expectTitles, focused, undo } from './open-app.js';

describeApp('keys and dialogs', (app) => {
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
    await app().open('/');
    await expectTitles(page, ['Three', 'Two', 'One']);
    await press('Tab');
    expect(await focused(page)).toBe('a Skip to the content');
    await eventually(() =>
      page.getByText('Skip to the content').evaluate((link) => link.getBoundingClientRect().top),
    ).toBeGreaterThan(0);
    await press('Enter');
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await press('Tab', 'Tab');
    expect(await focused(page)).toBe('a Three');
  });

  test('j, k and the arrows move, o and Enter open, u goes back', async () => {
    const { page } = app();
    await app().open('/');
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
    expect(await app().page.getByRole('dialog').count()).toBe(0);
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
    // The next row has the focus, so that the keys go on from there.
    await eventually(() => focused(page)).toBe('a One');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).focus();
    await press('Enter');
    await expectTitles(page, ['Three', 'Two', 'One']);
    await eventually(() => focused(page)).toBe('a One');
  });

  test('g and a letter go to the pages, whose heading gets the focus', async () => {
    const { page } = app();
    for (const [letter, name] of Object.entries({
      l: 'Highlights',
      t: 'Tags',
      d: 'Trash',
      s: 'Settings',
      h: 'Everything',
    })) {
      await press('g', letter);
      await heading(name).waitFor();
      await eventually(() => focused(page)).toBe(`h1 ${name}`);
      expect(await page.title()).toBe(`${name} – Recollect`);
      const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current=page]');
      expect(await current.textContent()).toBe(name);
    }
  });

  test('the navigation leads to the pages by mouse', async () => {
    const { page } = app();
    for (const name of ['Highlights', 'Tags', 'Trash', 'Settings', 'Everything']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
      await heading(name).waitFor();
      await eventually(() => focused(page)).toBe(`h1 ${name}`);
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
      'g t',
      'g d',
      'g s',
      '?',
      'Ctrl K',
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
    expect(await page.getByRole('dialog').count()).toBe(0);
    await press('/');
    await eventually(() => focused(page)).toBe('input Search');
    await page.keyboard.type('xne#?*a');
    expect(await page.getByRole('searchbox').inputValue()).toBe('xne#?*a');
    expect([await selected(), await page.getByRole('dialog').count()]).toEqual([[], 0]);
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

  test('a dialog keeps the focus, and gives it back', async () => {
    const { page } = app();
    await page.getByRole('button', { name: 'New note' }).focus();
    await press('Enter');
    await dialog('New note').waitFor();
    for (let step = 0; step < 12; step++) {
      // Chromium lets the Tab key reach its own buttons, where the document has no focus.
      expect(
        await page.evaluate(
          () => document.activeElement === document.body || document.activeElement?.closest('dialog') != null,
        ),
      ).toBe(true);
      await press('Tab');
    }
    await press('Escape');
    await eventually(() => focused(page)).toBe('button New note');
    // A click beside the dialog closes it.
    await press('Enter');
    await dialog('New note').waitFor();
    await page.mouse.click(5, 300);
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('n writes a note, whose draft is kept until it is saved', async () => {
    const { page, server } = app();
    await page.getByRole('link', { name: 'Everything' }).focus();
    await press('n');
    await eventually(() => focused(page)).toBe('textarea Text, in Markdown if you like');
    await page.keyboard.type('A note about paraffin');
    await press('Tab');
    await page.keyboard.type('oil, lamp');
    await press('Escape');
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
    await app().open('/tags');
    await press('n');
    const text = dialog('New note').getByRole('textbox', { name: 'Text, in Markdown if you like' });
    expect(await text.inputValue()).toBe('A note about paraffin');
    await text.press('Control+Enter');
    await expectOutcome(page, 'Saved.');
    const { memories } = await server.client('listMemories', { query: {} });
    expect([memories[0]?.excerpt, memories[0]?.tags]).toEqual(['A note about paraffin', ['oil', 'lamp']]);
    await press('n');
    expect(await text.inputValue()).toBe('');
    await text.fill('A note about paraffin');
    await dialog('New note').getByRole('button', { name: 'Save note' }).click();
    await expectOutcome(page, 'This text was saved before.');
    await press('n');
    await text.fill('Another one');
    await dialog('New note').getByRole('button', { name: 'Save note' }).click();
    await expectOutcome(page, 'Saved.');
    await undo(page);
    await expectOutcome(page, /Moved to the trash|Undone/);
    await eventually(async () => (await server.client('countMemories', { query: {} })).total).toBe(4);
  });

  test('the palette finds pages, actions and memories', async () => {
    const { page } = app();
    const field = page.getByRole('combobox', { name: 'Command' });
    const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
    await app().open('/');
    await press('/', 'Control+k');
    await field.waitFor();
    await eventually(() => focused(page)).toBe('input Command');
    await page.keyboard.type('tags');
    await eventually(() => options.first().textContent()).toContain('Go to Tags');
    await press('Enter');
    await heading('Tags').waitFor();
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
    await press('Control+k');
    await field.waitFor();
    await page.keyboard.type('second');
    await eventually(() => options.first().textContent()).toContain('Two');
    await press('ArrowDown', 'ArrowUp', 'Enter');
    await heading('Two').waitFor();
    await page.getByRole('button', { name: 'Command palette' }).click();
    await field.waitFor();
    await options.filter({ hasText: 'New note' }).click();
    await dialog('New note').waitFor();
    await press('Escape', 'Control+k');
    await field.waitFor();
    await press('ArrowUp');
    await eventually(() => page.getByRole('option', { selected: true }).textContent()).toContain('Show all keys');
    await press('Control+k');
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('dropped files are saved, and what cannot be saved is named', async () => {
    const { page, server } = app();
    await app().open('/');
    const drop = async (files: readonly (readonly [string, string])[]) => {
      const transfer = await page.evaluateHandle((all) => {
        const made = new DataTransfer();
        for (const [name, text] of all) made.items.add(new File([text], name));
        return made;
      }, files);
      await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
      await page.getByText('Drop to save').waitFor();
      await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
      await page.getByText('Drop to save').waitFor({ state: 'hidden' });
    };
    await drop([
      ['wicks.md', '# Wicks\n\nA wick is cotton.'],
      [
        'page.html',
        '<title>Glass</title><p>Chimneys of lamps are made of thin glass, which breaks easily in the cold.</p>',
      ],
    ]);
    await expectOutcome(page, '2 files saved.');
    await eventually(async () => (await page.locator('a.row-title').allTextContents()).slice(0, 2).sort()).toEqual([
      'Glass',
      'wicks',
    ]);
    await undo(page);
    await eventually(async () => (await server.client('countMemories', { query: {} })).total).toBe(4);
    await drop([
      ['lamp.png', 'x'],
      ['one.txt', 'The first text.'],
    ]);
    await expectOutcome(page, /^lamp\.png: Only text, Markdown and web pages can be saved\.$/);
  });
});
