import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { replaceText, typedIn } from '../open-note.js';
import { describeApp, eventually, expectOutcome, expectTitles, focused, undo } from './open-app.js';

const LAMPS = new URL('../../../../packages/extraction/test/fixtures/pdf/lamps.pdf', import.meta.url);

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
    await app().open('/everything');
    await page.getByRole('button', { name: 'Add', exact: true }).focus();
    await press('Enter');
    await dialog('Add').waitFor();
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
    await eventually(() => focused(page)).toBe('button Add');
    // A click beside the dialog closes it.
    await press('Enter');
    await dialog('Add').waitFor();
    await page.mouse.click(5, 300);
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('n writes a note, whose draft is kept until it is saved', async () => {
    const { page, server } = app();
    await page.getByRole('link', { name: 'Everything' }).focus();
    await press('n');
    await eventually(() => focused(page)).toBe('div Text, in Markdown if you like');
    await page.keyboard.type('A note about paraffin');
    await press('Tab');
    await page.keyboard.type('oil, lamp');
    // Another window that saves its own note forgets the draft that both have.
    await page.evaluate(() => localStorage.removeItem('recollect-note'));
    await press('Escape');
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
    await expectOutcome(page, 'Your draft is kept for the next new note.');
    await app().open('/tags');
    await press('n');
    const text = dialog('New note').getByRole('textbox', { name: 'Text, in Markdown if you like' });
    expect(await typedIn(text)).toBe('A note about paraffin');
    await text.press('Control+Enter');
    await expectOutcome(page, 'Saved.');
    const { memories } = await server.client('listMemories', { query: {} });
    expect([memories[0]?.excerpt, memories[0]?.tags]).toEqual(['A note about paraffin', ['oil', 'lamp']]);
    await press('n');
    expect(await typedIn(text)).toBe('');
    await replaceText(text, 'A note about paraffin');
    await dialog('New note').getByRole('button', { name: 'Save note' }).click();
    await expectOutcome(page, 'This text was saved before.');
    await press('n');
    await replaceText(text, 'Another one');
    // Text typed while it is saved would be lost.
    const asked = Promise.withResolvers<void>();
    await page.route('**/api/v1/capture', async (route) => {
      await asked.promise;
      await route.continue();
    });
    await dialog('New note').getByRole('button', { name: 'Save note' }).click();
    await eventually(() => text.isEditable()).toBe(false);
    // Another note could be begun, and would be closed and forgotten with this one.
    await press('Escape');
    expect(await dialog('New note').count()).toBe(1);
    asked.resolve();
    await expectOutcome(page, 'Saved.');
    await page.unroute('**/api/v1/capture');
    await undo(page);
    await expectOutcome(page, /Moved to the trash|Undone/);
    // Cancelling an empty note keeps text that another window has typed.
    await press('n');
    await dialog('New note').waitFor();
    await page.evaluate(() => localStorage.setItem('recollect-note', '{"text":"Of another window"}'));
    await press('Escape');
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate(() => localStorage.getItem('recollect-note'))).toContain('Of another window');
    await page.evaluate(() => localStorage.removeItem('recollect-note'));
    await eventually(async () => (await server.client('countMemories', { query: {} })).total).toBe(4);
  });

  test('the palette finds pages, actions and memories', async () => {
    const { page } = app();
    const field = page.getByRole('combobox', { name: 'Command' });
    const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
    await app().open('/everything');
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

  test('the palette has groups, recent memories before typing, and a search for the typed text', async () => {
    const { page } = app();
    const field = page.getByRole('combobox', { name: 'Command' });
    const group = (name: string) => page.getByRole('listbox').getByRole('group', { name, exact: true });
    const names = () => page.getByRole('listbox').getByRole('group').locator('p').allTextContents();
    await app().save({ title: 'Two at home', url: 'https://two.example/', pageText: 'Two.', tags: ['two'] });
    await app().open('/tags');
    await press('Control+k');
    await eventually(() => group('Recent memories').getByRole('option').first().textContent()).toContain('Two at home');
    expect(await names()).toEqual(['Recent memories', 'Actions']);
    // A host is not shown as a key, and the keys match the platform.
    const first = group('Recent memories').getByRole('option').first();
    expect(await first.getByText('two.example').count()).toBe(1);
    expect(await first.locator('kbd').count()).toBe(0);
    expect(await group('Actions').getByRole('option', { name: 'New note' }).locator('kbd').textContent()).toBe('n');
    await field.fill('two');
    await eventually(names).toEqual(['Memories', 'Tags', 'Search']);
    await eventually(() => group('Memories').getByRole('img').first().getAttribute('aria-label')).toMatch(/Page|Note/);
    await group('Tags').getByRole('option', { name: 'two 1 memory' }).click();
    await expectTitles(page, ['Two at home']);
    await press('Control+k');
    await field.fill('backups');
    await group('Settings').getByRole('option', { name: 'Backups' }).click();
    await heading('Backups').waitFor();
    await press('Control+k');
    await field.fill('Two');
    await group('Search').getByRole('option', { name: 'Search for “Two”' }).click();
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('Two');
  });

  test('a note has a title, completed tags, and the whole window on a phone', async () => {
    const { page, server } = app();
    await app().open('/everything');
    await press('n');
    const note = dialog('New note');
    const text = note.getByRole('textbox', { name: 'Text, in Markdown if you like' });
    await replaceText(text, 'Oil with **care**.\n\n- [ ] buy a wick');
    await note.getByRole('textbox', { name: 'Title' }).fill('Lamps in winter');
    expect(await typedIn(text)).toContain('**care**');
    await note.getByRole('combobox', { name: 'Tags' }).fill('lamp, tw');
    await note.getByRole('list', { name: 'Chosen tags' }).getByText('lamp', { exact: true }).waitFor();
    await note.getByRole('option', { name: 'two' }).waitFor();
    expect(await note.getByRole('button', { name: 'Save note' }).locator('kbd').allTextContents()).toEqual([
      'Ctrl',
      '↵',
    ]);
    // The title is part of the draft.
    await press('Escape');
    await app().open('/tags');
    await page.setViewportSize({ width: 390, height: 844 });
    await press('n');
    expect(await note.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Lamps in winter');
    expect(await note.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
    await text.press('Control+Enter');
    await expectOutcome(page, 'Saved.');
    await page.setViewportSize({ width: 1280, height: 720 });
    const [saved] = (await server.client('listMemories', { query: {} })).memories;
    expect([saved?.title, saved?.tags]).toEqual(['Lamps in winter', ['lamp', 'tw']]);
  });

  test('dropped files are saved, and what cannot be saved is named', async () => {
    const { page, server } = app();
    await app().open('/everything');
    const total = async () => (await server.client('countMemories', { query: {} })).total;
    const before = await total();
    const drop = async (files: readonly (readonly [string, string | number[]])[]) => {
      const transfer = await page.evaluateHandle((all) => {
        const made = new DataTransfer();
        for (const [name, content] of all) {
          const part = typeof content === 'string' ? content : Uint8Array.from(content);
          made.items.add(new File([part], name));
        }
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
    await eventually(total).toBe(before);
    await drop([
      ['lamp.png', 'x'],
      ['one.txt', 'The first text.'],
    ]);
    await expectOutcome(
      page,
      /^1 file was saved before\. lamp\.png: Only text, Markdown, web pages, PDFs, books, office documents, mails, notebooks and exports can be saved\.$/,
    );
    await drop([
      ['lamps.pdf', [...(await readFile(LAMPS))]],
      ['broken.pdf', '%PDF-1.7'],
    ]);
    await expectOutcome(page, '1 file saved. broken.pdf: The PDF is damaged or incomplete.');
    await eventually(() => page.locator('a.row-title').first().textContent()).toBe('Gas Lamps of Harrow Street');
    const latin = [...Buffer.from('Grüße aus München: Der Kaffee schmeckt größtenteils süß.', 'latin1')];
    await drop([
      ['old.txt', latin],
      ['lamp.txt', [...Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')]],
    ]);
    await expectOutcome(page, '1 file saved. lamp.txt: The file is not text.');
    const [german] = (await server.client('listMemories', { query: {} })).memories;
    expect(german?.excerpt).toContain('Grüße aus München');
  });
});
