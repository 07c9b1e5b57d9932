import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, expectTitles, rows, undo } from './open-app.js';

const DAY = 86_400_000;
const at = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY).toISOString();

describeApp('the list of everything', (app) => {
  test('teaches the first steps while nothing is saved', async () => {
    const { page } = app();
    await app().open('/everything');
    await page.getByRole('heading', { name: 'Welcome to Recollect' }).waitFor();
    await page.getByRole('button', { name: 'Write a note' }).click();
    await page.getByRole('dialog', { name: 'New note' }).waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => page.getByRole('link', { name: 'Get the extension' }).count()).toBe(1);
    expect(await page.locator('.welcome-keys kbd').allTextContents()).toEqual(['Ctrl', 'k', 'n', '?']);
  });

  test('has ten samples to try, which one click removes, and nothing else', async () => {
    const { page, server } = app();
    const total = async () => (await server.client('countMemories', { query: {} })).total;
    await page.getByRole('button', { name: 'Try it with ten sample memories' }).click();
    await expectOutcome(page, /^Ten samples saved\./);
    await page.locator('#main').getByText('10 memories', { exact: true }).waitFor();
    await page.getByText('10 memories are samples.').waitFor();
    const [own = ''] = await app().save({ title: 'Mine', pageText: 'My own text.', tags: ['books'] });
    // A sample without the tag is a memory like any other.
    const [kept] = (await server.client('listMemories', { query: { tag: 'poems' } })).memories;
    await server.client('changeMemories', { body: { ids: [kept?.id ?? ''], removeTags: ['Recollect sample'] } });
    await page.getByText('9 memories are samples.').waitFor();
    await page.getByRole('button', { name: 'Remove the samples' }).click();
    await expectOutcome(page, '9 memories moved to the trash.');
    await expectTitles(page, ['Mine', 'Sonnet 18']);
    await eventually(() => page.getByRole('button', { name: 'Remove the samples' }).count()).toBe(0);
    await undo(page);
    await eventually(total).toBe(11);
    await page.getByRole('button', { name: 'Remove the samples' }).click();
    await eventually(total).toBe(2);
    await server.client('changeMemories', { body: { ids: [own, kept?.id ?? ''], delete: true } });
    await page.getByRole('heading', { name: 'Welcome to Recollect' }).waitFor();
  });

  test('shows what another client saves by itself, newest first, in groups by day', async () => {
    const { page } = app();
    await app().save({ title: 'Old', pageText: 'One of old.', capturedAt: at(400) });
    await expectTitles(page, ['Old']);
    await app().save(
      { title: 'Today', pageText: 'One of today.', capturedAt: at(0) },
      { title: 'Yesterday', pageText: 'One of yesterday.', capturedAt: at(1) },
    );
    await expectTitles(page, ['Today', 'Yesterday', 'Old']);
    const headings = await page.locator('.row-day').allTextContents();
    expect(headings.slice(0, 2)).toEqual(['Today', 'Yesterday']);
    expect(headings[2]).toMatch(/ \d{4}$/);
    await page.locator('#main').getByText('3 memories', { exact: true }).waitFor();
  });

  test('follows changes of other clients while another page is shown', async () => {
    const { page } = app();
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
    const [id = ''] = await app().save({ title: 'Meanwhile', pageText: 'Saved meanwhile.' });
    await page.goBack();
    await expectTitles(page, ['Meanwhile', 'Today', 'Yesterday', 'Old']);
    await app().server.client('changeMemories', { body: { ids: [id], delete: true } });
    await expectTitles(page, ['Today', 'Yesterday', 'Old']);
  });

  test('renders only what is near the window of 260 memories, and reads on while scrolling', async () => {
    const { page } = app();
    // Before noon, so that the first of them are of one day, and have one heading, whenever the test runs.
    const noon = new Date().setHours(12, 0, 0, 0) - 2 * DAY;
    const many = Array.from({ length: 260 }, (_, index) => ({
      title: `Note ${index}`,
      pageText: `The text of note ${index}.`,
      tags: [`tag-${index % 5}`],
      capturedAt: new Date(noon - index * 600_000).toISOString(),
    }));
    await app().save(...many);
    await page.locator('#main').getByText('263 memories', { exact: true }).waitFor();
    const before = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 1440, height: 900 });
    // Rows with tags, and with an excerpt, that can be seen as a whole.
    const whole = () =>
      rows(page).evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
    await eventually(whole).toBeGreaterThanOrEqual(9);
    await page.setViewportSize(before);
    const seen = new Set<string>();
    // One step of the scroll, and the titles once rows fill the window again.
    const step = async () => {
      await page.evaluate(() => scrollBy(0, innerHeight / 2));
      const isFilled = () => {
        const last = [...document.querySelectorAll('[aria-posinset]')].at(-1);
        if (last === undefined) return false;
        return last.getBoundingClientRect().bottom >= innerHeight || last.ariaPosInSet === last.ariaSetSize;
      };
      await page.waitForFunction(isFilled, undefined, { polling: 50 });
      for (const title of await page.locator('a.row-title').allTextContents()) seen.add(title);
      expect(await page.locator('*').count()).toBeLessThan(2_000);
      return seen.size;
    };
    for (const title of await page.locator('a.row-title').allTextContents()) seen.add(title);
    await expect.poll(step, { interval: 0, timeout: 200_000 }).toBe(263);
    const last = rows(page).last();
    await eventually(() => last.getAttribute('aria-posinset')).toBe('263');
    expect(await last.getAttribute('aria-setsize')).toBe('263');
  });

  test('is where it was left after Back from a memory, with the focus on that memory', async () => {
    const { page } = app();
    await page.evaluate(() => scrollTo(0, 9_000));
    await eventually(async () => Number(await rows(page).first().getAttribute('aria-posinset'))).toBeLessThan(150);
    const title = await rows(page).nth(8).getByRole('link').first().textContent();
    await page.getByRole('link', { name: title ?? '', exact: true }).focus();
    const left = await page.evaluate(() => scrollY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: title ?? '' }).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe(title);
    expect(Math.abs((await page.evaluate(() => scrollY)) - left)).toBeLessThan(300);
    expect(await page.getByRole('link', { name: title ?? '', exact: true }).isVisible()).toBe(true);
    // A link to the list starts at its beginning.
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: title ?? '' }).waitFor();
    await page.getByRole('link', { name: 'Everything' }).click();
    await rows(page).first().waitFor();
    await eventually(() => page.evaluate(() => scrollY)).toBe(0);
  });

  test('is where it was left after a memory was deleted on its own page', async () => {
    const { page } = app();
    await page.evaluate(() => scrollTo(0, 9_000));
    await eventually(async () => Number(await rows(page).first().getAttribute('aria-posinset'))).toBeGreaterThan(50);
    const links = page.locator('a.row-title');
    const [title = '', next = ''] = (await links.allTextContents()).slice(8);
    await page.getByRole('link', { name: title, exact: true }).focus();
    const place = () =>
      links.filter({ hasText: new RegExp(`^${title}$`) }).evaluate((link) => link.getBoundingClientRect().top);
    const left = await place();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await page.keyboard.press('#');
    await expectOutcome(page, 'Moved to the trash.');
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe(next);
    await undo(page);
    await page.getByRole('link', { name: title, exact: true }).waitFor();
    expect(Math.abs((await place()) - left)).toBeLessThan(300);
    await page.evaluate(() => scrollTo(0, 0));
    await page.reload();
    await rows(page).first().waitFor();
  });

  test('the row that the keys reach is never under the bar at the top', async () => {
    const { page } = app();
    await page.locator('body').press('j');
    for (let step = 0; step < 14; step++) await page.keyboard.press('j');
    await eventually(() => page.evaluate(() => document.activeElement?.closest('li')?.ariaPosInSet)).toBe('15');
    for (let step = 14; step > 4; step--) {
      await page.keyboard.press('k');
      await eventually(() => page.evaluate(() => document.activeElement?.closest('li')?.ariaPosInSet)).toBe(`${step}`);
      const [top, edge] = await page.evaluate(() => [
        document.activeElement?.getBoundingClientRect().top ?? 0,
        document.querySelector('.head')?.getBoundingClientRect().bottom ?? 0,
      ]);
      expect(top).toBeGreaterThanOrEqual(edge ?? 0);
    }
  });

  test('selects with boxes, and all up to another one with Shift', async () => {
    const { page } = app();
    await app().open('/everything');
    await page.getByRole('checkbox', { name: 'Select Today' }).click();
    await page.getByText('1 memory selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select Note 3', exact: true }).click({ modifiers: ['Shift'] });
    await page.getByText('6 memories selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select Note 0', exact: true }).click();
    await page.getByText('5 memories selected').waitFor();
    // Keyboard shortcuts still work while a checkbox has the focus.
    await page.keyboard.press('*');
    await page.keyboard.press('n');
    await eventually(() => page.getByText('selected').count()).toBe(0);
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('changes the selected memories, and undoes each change', async () => {
    const { page, server } = app();
    const tagged = async (tag: string) => (await server.client('countMemories', { query: { tag } })).total;
    await page.getByRole('checkbox', { name: 'Select Today' }).click();
    await page.getByRole('checkbox', { name: 'Select Yesterday' }).click();
    await page.getByRole('button', { name: 'Add tag' }).click();
    await page.getByRole('dialog', { name: 'Add tag' }).getByRole('combobox').fill('red, blue');
    await page.getByRole('dialog').getByRole('button', { name: 'Add 2 tags' }).click();
    await expectOutcome(page, 'red, blue added to 2 memories.');
    await eventually(() => rows(page).first().getByRole('link', { name: 'red' }).count()).toBe(1);
    expect([await tagged('red'), await tagged('blue')]).toEqual([2, 2]);

    await page.getByRole('button', { name: 'Remove tag' }).click();
    await page.getByRole('dialog', { name: 'Remove tag' }).waitFor();
    await page.keyboard.type('blue');
    await page.keyboard.press('Enter');
    await expectOutcome(page, 'blue removed from 2 memories.');
    expect(await tagged('blue')).toBe(0);
    await undo(page);
    await expectOutcome(page, 'Undone.');
    expect(await tagged('blue')).toBe(2);

    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await expectOutcome(page, '2 memories moved to the trash.');
    await eventually(() => rows(page).first().getByRole('link').first().textContent()).toBe('Note 0');
    await undo(page);
    await expectOutcome(page, 'Undone.');
    await eventually(() => rows(page).first().getByRole('link').first().textContent()).toBe('Today');
  });

  test('exports the selected memories as one Markdown file', async () => {
    const { page } = app();
    await page.getByRole('checkbox', { name: 'Select Today' }).click();
    await page.getByRole('checkbox', { name: 'Select Yesterday' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    await expectOutcome(page, '2 memories exported.');
    expect(download.suggestedFilename()).toMatch(/^recollect-[\d-]{10}\.md$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    expect(text).toContain('# Today\n\nSaved: ');
    expect(text).toMatch(/Tags: red, blue\n\nOne of today\.\n\n---\n\n# Yesterday/);
    await page.getByRole('button', { name: 'Clear the selection' }).click();
  });

  test('undo brings back a memory from far down the list, and stays there', async () => {
    const { page } = app();
    await page.evaluate(() => scrollTo(0, 9_000));
    await eventually(async () => Number(await rows(page).last().getAttribute('aria-posinset'))).toBeGreaterThan(80);
    const link = page.getByRole('link', { name: 'Note 130', exact: true });
    await expect
      .poll(
        async () => {
          if ((await link.count()) > 0) return true;
          await page.mouse.wheel(0, 400);
          return false;
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    await link.focus();
    await page.keyboard.press('#');
    await expectOutcome(page, 'Moved to the trash.');
    await eventually(() => link.count()).toBe(0);
    await undo(page);
    await expectOutcome(page, 'Undone.');
    await link.waitFor();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(8_000);
  });
});
