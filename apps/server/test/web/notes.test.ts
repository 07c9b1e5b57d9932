import { expect, test } from 'vitest';
import { openNote, typedIn } from '../open-note.js';
import { describeApp, eventually, expectOutcome } from './open-app.js';

describeApp('notes', (app) => {
  const dialog = () => app().page.getByRole('dialog', { name: 'New note' });
  const text = () => app().page.getByRole('textbox', { name: 'Text, in Markdown if you like' });
  const lines = () => app().page.locator('.cm-line').allInnerTexts();
  const begin = async () => {
    await app().open('/everything');
    await app().page.evaluate(() => localStorage.removeItem('recollect-note'));
    await openNote(app().page);
  };
  const write = async (typed = '') => {
    await begin();
    await app().page.locator('.cm-content').waitFor();
    await text().focus();
    await app().page.keyboard.type(typed);
  };
  const save = async () => {
    await app().page.keyboard.press('Control+Enter');
    await expectOutcome(app().page, 'Saved.');
    return (await app().server.client('listMemories', { query: { limit: 1 } })).memories[0];
  };

  test('SYS-47: shows Markdown as it will look, and stores what was typed', async () => {
    const { page, server } = app();
    await write();
    // Typed line by line, a list would continue.
    await page.keyboard.insertText('## Bees\nThey **dance** and ~~sleep~~.\n- [ ] plant clover\n\n');
    await eventually(async () => (await lines()).slice(0, 3).map((line) => line.trim())).toEqual([
      'Bees',
      'They dance and sleep.',
      'plant clover',
    ]);
    await page.getByRole('checkbox', { name: 'Done' }).first().click();
    const memory = await save();
    const { text: stored } = await server.client('getMemory', { parameters: { id: memory?.id ?? '' } });
    expect(stored).toContain('## Bees\nThey **dance** and ~~sleep~~.\n- [x] plant clover');
  });

  test('SYS-47: has a menu of blocks, and draws a table', async () => {
    const { page, server } = app();
    await write('/tab');
    await page.getByRole('option', { name: 'Table', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await eventually(lines).toContain('|  |  |');
    await page.keyboard.type('Hive');
    await eventually(lines).toContain('| Hive |  |');
    await page.keyboard.press('Control+End');
    await page.locator('.drawn-table').getByRole('columnheader', { name: 'Hive' }).waitFor();
    const memory = await save();
    const { text: stored } = await server.client('getMemory', { parameters: { id: memory?.id ?? '' } });
    expect(stored).toContain('| Hive |  |\n| --- | --- |');
  });

  test('SYS-47: is a plain field with the same text until the editor is loaded', async () => {
    const { page } = app();
    const gate = Promise.withResolvers<void>();
    await page.route('**/assets/create-editor-*.js', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await begin();
    expect(await text().evaluate((field) => field.tagName)).toBe('TEXTAREA');
    await page.keyboard.type('Typed early,');
    gate.resolve();
    await page.locator('.cm-content').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.type(' and late');
    await eventually(() => typedIn(text())).toBe('Typed early, and late');
    await page.unroute('**/assets/create-editor-*.js');
    await page.keyboard.press('Escape');
  });

  test('SYS-48: completes titles after two brackets, and takes the title from a first heading', async () => {
    const { page, server } = app();
    await app().save(
      { title: 'Honeybee democracy', pageText: 'A book.' },
      { title: 'Honey', pageText: 'Sweet.' },
      { title: 'Hot [and] cold', pageText: 'A title with brackets.' },
    );
    const answer = await server.client('completeTitles', { body: { prefix: 'HONEY' } });
    expect(answer.memories.map(({ title }) => title)).toEqual(['Honey', 'Honeybee democracy']);
    const within = await server.client('completeTitles', { body: { prefix: 'Démoc' } });
    expect(within.memories.map(({ title }) => title)).toEqual(['Honeybee democracy']);
    const cold = await server.client('completeTitles', { body: { prefix: 'cold and', limit: 1 } });
    expect(cold.memories.map(({ title }) => title)).toEqual(['Hot [and] cold']);
    // Its text has the word, but not its title.
    expect((await server.client('completeTitles', { body: { prefix: 'sweet' } })).memories).toEqual([]);
    await write('# Ideas for the talk\nRead [[honeyb');
    await page.getByRole('option', { name: 'Honeybee democracy' }).waitFor();
    // Enter may come before the answer for the last letter.
    const gate = Promise.withResolvers<void>();
    await page.route('**/titles/complete', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.keyboard.type('e');
    await page.keyboard.press('Enter');
    gate.resolve();
    await eventually(async () => (await lines())[1]).toBe('Read Honeybee democracy');
    await page.unroute('**/titles/complete');
    await page.keyboard.type(', [[hot');
    await page.getByRole('option', { name: 'Hot [and] cold' }).waitFor();
    await page.keyboard.press('Enter');
    // The option may still be of the letters before, and Enter then waits for the answer.
    await eventually(async () => (await lines())[1]).toContain('Hot');
    expect(await dialog().getByRole('textbox', { name: 'Title' }).getAttribute('placeholder')).toBe(
      'Ideas for the talk',
    );
    const memory = await save();
    expect(memory?.title).toBe('Ideas for the talk');
    const { text: stored } = await server.client('getMemory', { parameters: { id: memory?.id ?? '' } });
    expect(stored).toMatch(/Read \[\[Honeybee democracy\]\], \[Hot \\\[and\\\] cold\]\(\/memory\/[0-9a-f-]{36}\)/);
  });

  /** Pastes images of these sizes, of which only the headers are real. */
  const paste = (...sizes: (readonly [width: number, height: number])[]) =>
    text().evaluate(async (field, all) => {
      const files = new DataTransfer();
      for (const [at, [w, h]] of all.entries()) {
        const canvas = new OffscreenCanvas(Math.min(w, 600), Math.min(h, 400));
        canvas.getContext('2d')?.fillRect(0, 0, 99, 99);
        const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
        const view = new DataView(bytes.buffer);
        view.setUint32(16, w);
        view.setUint32(20, h);
        files.items.add(new File([bytes], `image-${at + 1}.png`, { type: 'image/png' }));
      }
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true, composed: true }));
    }, sizes);

  test('SYS-49: a pasted image becomes the picture of the note, and one that is too large is refused', async () => {
    const { page, server } = app();
    await write('A note with a picture');
    await paste([10_000, 8_000]);
    await dialog().getByRole('alert').getByText('This image has 80 megapixels.').waitFor();
    await paste([600, 400]);
    await dialog().getByRole('img', { name: 'Pasted' }).waitFor();
    const memory = await save();
    expect(memory?.pictureHash).toMatch(/^[0-9a-f]{64}$/);
    const id = memory?.id ?? '';
    await app().open(`/memory/${id}`);
    await page.locator('.lead-picture').waitFor();
    await server.client('updateMemory', { parameters: { id }, body: { picture: null } });
    await page.locator('.lead-picture').waitFor({ state: 'detached' });
    const wrong = server.client('updateMemory', { parameters: { id }, body: { picture: { type: '', data: 'x' } } });
    await expect(wrong).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('SYS-49: of several pasted images, the first that can be the picture is used, with one message', async () => {
    const { page } = app();
    await write('A note with pictures');
    await paste([10_000, 8_000], [600, 400], [300, 200], [30, 20]);
    const message = dialog().getByRole('alert');
    await message.getByText('A note has one picture, so 2 files were left out.').waitFor();
    expect(await message.textContent()).toMatch(/^image-1\.png: This image has 80 megapixels\./);
    const picture = dialog().getByRole('img', { name: 'Pasted' });
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(
      480,
    );
    // The last of two pastes stays, although it is ready first.
    await Promise.all([paste([600, 400]), paste([300, 200])]);
    await eventually(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
    await page.keyboard.press('Escape');
  });
});
