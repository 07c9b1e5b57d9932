import { expect, test } from 'vitest';
import { pressMore } from '../press-more.js';
import { describeApp, eventually, expectOutcome, focused, undo } from './open-app.js';

const TEXT =
  'Paraffin burns brighter than colza oil.\n\nIts lamps smell, but **its lamps** are cheap.\n\nMore about [lamps](https://lamps.example/).';

describeApp('highlights', (app) => {
  const button = (name: string) => app().page.getByRole('button', { name, exact: true });
  const own = () => app().page.getByRole('list', { name: 'Highlights' });
  const marks = () => app().page.locator('article mark.highlight').allTextContents();
  let id = '';

  test('a passage is selected with the mouse and kept', async () => {
    const { page } = app();
    [id = ''] = await app().save({ title: 'Lamp oil', pageText: TEXT, sourceApp: 'web' });
    await app().open(`/memory/${id}`);
    const box = await page.getByText('brighter than colza').boundingBox();
    if (box === null) throw new Error('The paragraph is not shown.');
    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    const selected = await page.evaluate(() => `${getSelection()}`.trim());
    expect(selected).toMatch(/^Paraffin/);
    await page
      .getByRole('toolbar', { name: 'Selected text' })
      .getByRole('button', { name: 'Highlight', exact: true })
      .click();
    await expectOutcome(page, 'Highlighted.');
    await eventually(marks).toEqual([selected]);
    await undo(page);
    await eventually(marks).toEqual([]);
    await eventually(() => own().count()).toBe(0);
  });

  test('a passage is selected and kept with the keyboard, and gets a note', async () => {
    const { page } = app();
    // As the browser's search in the page leaves it. The arrows extend it from there.
    await page.evaluate(() => {
      const text = document.querySelector('article strong')?.firstChild;
      if (text != null) getSelection()?.setBaseAndExtent(text, 0, text, 3);
    });
    await page.keyboard.press('Control+Shift+ArrowRight');
    const bar = page.getByRole('toolbar', { name: 'Selected text' });
    await bar.waitFor();
    await page.keyboard.press('h');
    await expectOutcome(page, 'Highlighted.');
    // The second of two places with these words.
    await eventually(() => page.locator('article strong mark.highlight').textContent()).toBe('its lamps');
    await eventually(marks).toEqual(['its lamps']);
    await button('Edit the note on this highlight').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Note on the highlight' }).waitFor();
    await page.keyboard.type('Cheap means smelly.');
    await page.keyboard.press('Enter');
    await own().getByText('Cheap means smelly.').waitFor();
    await eventually(() => focused(page)).toBe('button Edit the note on this highlight');
  });

  test('a passage is kept with a note from the bar beside it', async () => {
    const { page } = app();
    await page.getByText('Paraffin burns').selectText();
    await button('Highlight with note').click();
    await eventually(() => focused(page)).toBe('input Note on the highlight');
    await page.keyboard.type('All of it.');
    await page.keyboard.press('Enter');
    await own().getByText('All of it.').waitFor();
    await eventually(marks).toEqual(['Paraffin burns brighter than colza oil.', 'its lamps']);
    await undo(page);
    await eventually(marks).toEqual(['its lamps']);
  });

  test('a highlight is found again after the title and the text have changed', async () => {
    const { server } = app();
    const text = TEXT.replace('Paraffin', 'A new beginning.\n\nParaffin').replace('but **its', 'and yet **its');
    await server.client('updateMemory', { parameters: { id }, body: { title: 'About oil', text } });
    await app().page.getByRole('heading', { level: 1, name: 'About oil' }).waitFor();
    await app().page.getByText('A new beginning.').waitFor();
    await eventually(marks).toEqual(['its lamps']);
    await eventually(() => app().page.locator('article strong mark.highlight').count()).toBe(1);
  });

  test('a highlight whose words are gone stays in the list and says so', async () => {
    const { server, page } = app();
    await server.client('updateMemory', { parameters: { id }, body: { text: 'Nothing of it is left here.' } });
    await own().getByText('These words are no longer in the text.').waitFor();
    await eventually(marks).toEqual([]);
    await server.client('updateMemory', { parameters: { id }, body: { text: TEXT } });
    await eventually(marks).toEqual(['its lamps']);
    await eventually(() => page.getByText('These words are no longer').count()).toBe(0);
  });

  test('HLT-5: a highlight gets the chosen colour, keeps it for the next one, and can be given another', async () => {
    const { page, server } = app();
    const [other = ''] = await app().save({
      title: 'Colours',
      pageText: 'Four colours are told apart. One is enough.',
    });
    await app().open(`/memory/${other}`);
    await page.locator('article[aria-busy="false"]').waitFor();
    const mark = async (text: string) => {
      await page.getByText('Four colours are told apart.').evaluate((element, words) => {
        const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let found = node.nextNode(); found !== null; found = node.nextNode()) {
          const at = found.textContent?.indexOf(words) ?? -1;
          if (at >= 0) getSelection()?.setBaseAndExtent(found, at, found, at + words.length);
        }
      }, text);
    };
    await mark('Four colours');
    const bar = page.getByRole('toolbar', { name: 'Selected text' });
    await bar.getByRole('button', { name: 'Green' }).focus();
    await page.keyboard.press('Enter');
    await eventually(() => bar.getByRole('button', { name: 'Green' }).getAttribute('aria-pressed')).toBe('true');
    await bar.getByRole('button', { name: 'Highlight', exact: true }).click();
    await page.locator('mark.highlight.green').waitFor();
    await mark('One is enough');
    await bar.waitFor();
    await page.keyboard.press('h');
    await eventually(() => page.locator('mark.highlight.green').count()).toBe(2);
    const first = own().getByRole('listitem').first();
    await first.getByRole('button', { name: 'Change the colour, now green' }).click();
    await first.getByRole('button', { name: 'Pink' }).click();
    await expectOutcome(page, 'Now pink.');
    await eventually(() => page.locator('mark.highlight.pink').count()).toBe(1);
    await first.getByRole('button', { name: 'Change the colour, now pink' }).waitFor();
    await undo(page);
    await eventually(() => page.locator('mark.highlight.green').count()).toBe(2);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const colours = await page.evaluate(() => {
        const mark = document.createElement('mark');
        document.querySelector('article')?.append(mark);
        const used = ['yellow', 'green', 'blue', 'pink'].map((colour) => {
          mark.className = `highlight ${colour}`;
          return getComputedStyle(mark).backgroundColor;
        });
        mark.remove();
        const found = getComputedStyle(document.querySelector('article') ?? mark, '::highlight(search-words)');
        return [...used, found.backgroundColor];
      });
      expect(new Set(colours).size).toBe(5);
    }
    await page.emulateMedia({ colorScheme: null });
    await server.client('deleteMemory', { parameters: { id: other } });
    await app().open(`/memory/${id}`);
    await page.locator('article[aria-busy="false"]').waitFor();
  });

  test('the note is edited and the highlight deleted, both with undo', async () => {
    const { page } = app();
    await button('Edit the note on this highlight').click();
    await page.getByRole('dialog', { name: 'Note on the highlight' }).waitFor();
    await eventually(() => focused(page)).toBe('input Note');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Better.');
    await page.keyboard.press('Enter');
    await own().getByText('Better.').waitFor();
    await expectOutcome(page, 'Note saved.');
    await undo(page);
    await own().getByText('Cheap means smelly.').waitFor();
    // A note can be taken away.
    await button('Edit the note on this highlight').click();
    await page.getByRole('dialog').getByRole('textbox').fill('');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await eventually(() => own().getByText('Cheap means smelly.').count()).toBe(0);
    await undo(page);
    await own().getByText('Cheap means smelly.').waitFor();
    await button('Delete this highlight').click();
    await expectOutcome(page, 'Highlight deleted.');
    await eventually(marks).toEqual([]);
    await undo(page);
    await eventually(marks).toEqual(['its lamps']);
    await own().getByText('Cheap means smelly.').waitFor();
  });

  test('copies the highlights of a memory as Markdown', async () => {
    const { page } = app();
    await pressMore(app().page, 'Copy highlights');
    await expectOutcome(page, 'Highlights copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      '## About oil\n\n> its lamps\n\nCheap means smelly.',
    );
  });

  test('a highlight across a picture is found whether images are shown or not', { tags: 'long' }, async () => {
    const { page } = app();
    const [pictured = ''] = await app().save({
      title: 'A swarm',
      pageText: 'It decides like a brain.\n\n![Bees on a branch](http://127.0.0.1:9/x.png)\n\nVolume of forty litres.',
      sourceApp: 'web',
    });
    await app().open(`/memory/${pictured}`);
    await page.getByText('Image: Bees on a branch').waitFor();
    await page.evaluate(() => {
      const [first, , last] = document.querySelectorAll('article p');
      if (first?.firstChild != null && last?.firstChild != null)
        getSelection()?.setBaseAndExtent(first.firstChild, 3, last.firstChild, 6);
    });
    await page.getByRole('toolbar', { name: 'Selected text' }).waitFor();
    await page.keyboard.press('h');
    await own().getByText('decides like a brain. Volume', { exact: true }).waitFor();
    await pressMore(page, 'Show images');
    await page.waitForURL('**?images=show');
    await eventually(marks).toEqual(['decides like a brain.', 'Volume']);
    await eventually(() => page.getByText('These words are no longer').count()).toBe(0);
    await pressMore(page, 'Hide images');
    await page.getByText('Image: Bees on a branch').waitFor();
    app().problems();
    await app().server.client('changeMemories', { body: { ids: [pictured], delete: true } });
    await app().open(`/memory/${id}`);
  });

  test('the page of all highlights lists, searches and copies them', async () => {
    const { page, server } = app();
    await server.client('createHighlight', { parameters: { id }, body: { quote: 'More about lamps' } });
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.getByRole('heading', { level: 1, name: 'Highlights' }).waitFor();
    const items = own().getByRole('listitem');
    await eventually(() => items.locator('.quoted').allTextContents()).toEqual(['More about lamps', 'its lamps']);
    await page.getByRole('textbox', { name: 'Search highlights' }).fill('smelly');
    await eventually(() => items.locator('.quoted').allTextContents()).toEqual(['its lamps']);
    await eventually(() => items.locator('mark').allTextContents()).toEqual(['smelly']);
    // The same was copied, and said, before.
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await button('Print or export').click();
    await button('Copy as Markdown').click();
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toContain('> its lamps');
    await page.getByRole('textbox', { name: 'Search highlights' }).fill('nothing like it');
    await page.getByText('No highlight has these words.').waitFor();
    await page.getByRole('textbox', { name: 'Search highlights' }).fill('');
    await page.getByRole('region', { name: 'About oil' }).waitFor();
    expect(await focused(page)).toBe('input Search highlights');
    await page.getByRole('region', { name: 'About oil' }).getByRole('link', { name: 'About oil' }).click();
    await page.getByRole('heading', { level: 1, name: 'About oil' }).waitFor();
  });

  test('the page of all highlights groups them by memory, with the text around them, and edits and deletes them', async () => {
    const { page, server } = app();
    const [other = ''] = await app().save({
      title: 'About wicks',
      url: 'https://wicks.example/',
      pageText: 'A wick is cotton. It burns slowly in the dark.',
    });
    await server.client('createHighlight', {
      parameters: { id: other },
      body: { quote: 'burns slowly', prefix: 'A wick is cotton. It ', suffix: ' in the dark.' },
    });
    await app().open('/highlights');
    const group = page.getByRole('region', { name: 'About wicks' });
    await group.getByText('wicks.example').waitFor();
    expect(await group.locator('blockquote').textContent()).toBe('A wick is cotton. It burns slowly in the dark.');
    const groups = page.getByRole('main').getByRole('heading', { level: 2 });
    expect(await groups.allTextContents()).toEqual(['About wicks', 'About oil']);
    await group.getByRole('button', { name: 'Edit the note on this highlight' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Trim it');
    await page.keyboard.press('Enter');
    await group.getByText('Trim it').waitFor();
    await group.getByRole('button', { name: 'Delete this highlight' }).click();
    await eventually(() => group.count()).toBe(0);
    await undo(page);
    await group.getByText('Trim it').waitFor();
    await group.getByRole('button', { name: 'Delete this highlight' }).click();
    await eventually(() => group.count()).toBe(0);
  });

  test('the text can be read before the highlights are there', async () => {
    const { page } = app();
    let answer = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/highlights?**', async (route) => {
      await mayAnswer;
      await route.continue();
    });
    await app().open(`/memory/${id}`);
    await page.locator('article').getByText('its lamps').waitFor();
    // It waits, and does not render again and again.
    await eventually(() => page.evaluate(countRenderings)).toBe(0);
    answer();
    await own().getByText('More about lamps', { exact: true }).waitFor();
    await page.unroute('**/highlights?**');
  });

  test('a change is shown that was made after a page was read and before it listens to the server', async () => {
    const { page, server } = app();
    let listen = () => {};
    const mayListen = new Promise<void>((resolve) => {
      listen = resolve;
    });
    await page.route('**/api/v1/events', async (route) => {
      await mayListen;
      await route.continue();
    });
    await app().open('/highlights');
    await own().getByText('More about lamps', { exact: true }).waitFor();
    const body = { quote: 'Made in between' };
    const made = await server.client('createHighlight', { parameters: { id }, body });
    expect(await own().getByText('Made in between').count()).toBe(0);
    listen();
    await own().getByText('Made in between').waitFor();
    await page.unroute('**/api/v1/events');
    // Unchanged highlights are read once.
    let requests = 0;
    page.on('request', (request) => {
      if (/\/api\/v1\/highlights\b/.test(request.url())) requests += 1;
    });
    const listens = page.waitForResponse('**/api/v1/events');
    await app().open('/highlights');
    await listens;
    await own().getByText('Made in between').waitFor();
    await eventually(() => page.evaluate(countRenderings)).toBe(0);
    expect(requests).toBe(1);
    await server.client('deleteHighlight', { parameters: { id: made.id } });
    await eventually(() => own().getByText('Made in between').count()).toBe(0);
  });

  test('the page of all highlights follows changes made elsewhere, and shows no highlight twice', {
    tags: 'long',
  }, async () => {
    const { server } = app();
    const create = (quote: string) => server.client('createHighlight', { parameters: { id }, body: { quote } });
    await app().open('/highlights');
    await own().getByText('More about lamps', { exact: true }).waitFor();
    await create('Made elsewhere');
    await own().getByText('Made elsewhere').waitFor();
    for (let at = 0; at < 118; at++) await create(`lamp ${at}`);
    await app().open('/highlights');
    const count = () => own().getByRole('listitem').count();
    await eventually(count).toBe(50);
    // Both clicks come before the first answer.
    await button('Show more').evaluate((element: HTMLElement) => {
      element.click();
      element.click();
    });
    await eventually(() => button('Show more').count()).toBe(0);
    const quotes = await own().locator('.quoted').allTextContents();
    expect([quotes.length, new Set(quotes).size]).toEqual([121, 121]);
    // Shown rows stay when something changes.
    await create('One more');
    await own().getByText('One more').waitFor();
    expect(await count()).toBe(122);
    await app().open(`/memory/${id}`);
    await eventually(count).toBe(122);
  });

  test('the page of all highlights says how to make the first one', async () => {
    const { page, server } = app();
    await server.client('changeMemories', { body: { ids: [id], delete: true } });
    await app().open('/highlights');
    await page.getByRole('heading', { name: 'No highlights yet' }).waitFor();
  });
});

/** How often a page renders in ten frames. It runs in the page. */
async function countRenderings(): Promise<number> {
  const { requestAnimationFrame } = window;
  let renderings = 0;
  window.requestAnimationFrame = (render) => {
    renderings += 1;
    return requestAnimationFrame(render);
  };
  for (let frame = 0; frame < 10; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  window.requestAnimationFrame = requestAnimationFrame;
  return renderings;
}
