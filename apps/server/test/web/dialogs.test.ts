import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, focused, undo } from './open-app.js';

describeApp('dialogs and dropped files', (app) => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await app().page.keyboard.press(key);
  };
  const heading = (name: string) => app().page.getByRole('heading', { level: 1, name, exact: true });
  const dialog = (name: string) => app().page.getByRole('dialog', { name, exact: true });

  test('a dialog keeps the focus, and gives it back', async () => {
    const { page } = app();
    await app().save(
      { title: 'One', pageText: 'The first text.' },
      { title: 'Two', pageText: 'The second text.' },
      { title: 'Three', pageText: 'The third text.' },
    );
    await app().open('/');
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
      'Wicks',
    ]);
    await undo(page);
    await eventually(async () => (await server.client('countMemories', { query: {} })).total).toBe(4);
    await drop([
      ['lamp.png', 'x'],
      ['one.txt', 'The first text.'],
    ]);
    await expectOutcome(
      page,
      /^1 file was saved before\. lamp\.png: Only text, Markdown and web pages can be saved\.$/,
    );
  });
});
