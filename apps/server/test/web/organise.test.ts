import { LOCAL_USER } from '@recollect/core';
import { expect, test } from 'vitest';
import { describeApp, eventually, expectOutcome, expectTitles, rows, undo } from './open-app.js';

const long = Array.from({ length: 200 }, (_, at) => `Paragraph ${at} of a long text about rivers.`).join('\n\n');
const titlesOf = (page: Parameters<typeof expectTitles>[0]) => page.locator('a.row-title').allTextContents();

describeApp('organising', (app) => {
  let ids: string[] = [];
  const memoryOf = (at: number) => app().server.client('getMemory', { parameters: { id: ids[at] ?? '' } });

  test('MEM-14: a star is set by the button of a row and by a key, and removed by undo', async () => {
    const { page } = app();
    ids = await app().save(
      {
        title: 'Rivers',
        pageText: long,
        url: 'https://rivers.example/',
        tags: ['water'],
        capturedAt: '2026-01-03T10:00:00Z',
      },
      { title: 'Apples', pageText: 'Apples keep in a cold room.', capturedAt: '2026-01-02T10:00:00Z' },
      { title: 'Bread', pageText: 'Bread needs time and salt.', capturedAt: '2026-01-01T10:00:00Z' },
    );
    await app().open('/everything');
    await expectTitles(page, ['Rivers', 'Apples', 'Bread']);
    const star = (title: string) => page.getByRole('button', { name: `Star ${title}` });
    await expect.poll(() => star('Apples').count()).toBe(0);
    await rows(page).nth(1).hover();
    await star('Apples').click();
    await expectOutcome(page, 'Starred.');
    await eventually(() => star('Apples').getAttribute('aria-pressed')).toBe('true');
    await page.mouse.move(0, 0);
    await eventually(() => star('Apples').count()).toBe(1);
    await undo(page);
    await eventually(async () => (await memoryOf(1)).starred).toBe(false);
    await page.locator('#main').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('s');
    await eventually(async () => (await memoryOf(0)).starred).toBe(true);
    await page.getByRole('link', { name: 'Starred' }).click();
    await expectTitles(page, ['Rivers']);
    await eventually(() => page.getByRole('link', { name: 'Starred' }).getAttribute('aria-current')).toBe('true');
  });

  test('MEM-14: a memory that is read to its end counts as read, one that is left before as partly read', async () => {
    const { page } = app();
    await app().open(`/memory/${ids[1]}`);
    await eventually(async () => (await memoryOf(1)).readState).toBe('read');
    await eventually(() => page.getByRole('button', { name: 'Mark as read' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await page.keyboard.press('m');
    await eventually(async () => (await memoryOf(1)).readState).toBe('unread');
    expect((await memoryOf(1)).openedAt).not.toBeNull();
    const history = page.getByRole('list', { name: 'History' });
    await history.getByText('Marked as read by the web app').waitFor();
    await history.getByText('Marked as unread by the web app').waitFor();
    // A state of the memory shows its contents, which are the same.
    expect(await history.getByRole('button', { name: 'View' }).count()).toBe(0);

    // The page jumped to the passage of the search result.
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postData() ?? '');
    });
    const at = long.indexOf('Paragraph 150 of');
    await app().open(`/memory/${ids[0]}?q=paragraph&at=${at}-${at + 200}`);
    await eventually(() => page.evaluate(() => scrollY)).toBeGreaterThan(1_000);
    await eventually(() => sent).toEqual(['{"opened":true}']);
    await page.getByRole('link', { name: 'Everything' }).click();
    await page.getByRole('heading', { level: 1, name: 'Everything' }).waitFor();
    expect(sent).toEqual(['{"opened":true}']);

    await app().open(`/memory/${ids[0]}`);
    await page.locator('article[aria-busy="false"]').waitFor();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 3));
    await page.getByRole('link', { name: 'Everything' }).click();
    await eventually(async () => (await memoryOf(0)).readState).toBe('reading');
    await eventually(() => rows(page).first().textContent()).toMatch(/\d\d % read/);
    await app().open(`/memory/${ids[0]}`);
    await page.getByText('Paragraph 199 of').scrollIntoViewIfNeeded();
    await page.keyboard.press('End');
    await eventually(async () => (await memoryOf(0)).readState).toBe('read');
  });

  test('MEM-14: the order and the view are chosen, and kept by the browser', async () => {
    const { page } = app();
    await app().open('/everything');
    await expectTitles(page, ['Rivers', 'Apples', 'Bread']);
    const order = page.getByRole('combobox', { name: 'Sort' });
    await order.selectOption('By title');
    await eventually(() => titlesOf(page)).toEqual(['Apples', 'Bread', 'Rivers']);
    await order.selectOption('Recently opened');
    await eventually(() => titlesOf(page)).toEqual(['Rivers', 'Apples', 'Bread']);
    await order.selectOption('Oldest first');
    await eventually(() => titlesOf(page)).toEqual(['Bread', 'Apples', 'Rivers']);
    const view = page.getByRole('radiogroup', { name: 'View' });
    for (const name of ['Compact', 'Cards', 'Comfortable', 'Cards']) {
      await view.getByRole('radio', { name }).check();
      await expectTitles(page, ['Bread', 'Apples', 'Rivers']);
    }
    await page.reload();
    await expectTitles(page, ['Bread', 'Apples', 'Rivers']);
    await eventually(() => page.locator('.memory-card').count()).toBe(3);
    const tag = page.locator('.memory-card').last().getByRole('link', { name: 'water' });
    expect(await tag.getAttribute('href')).toBe('/?q=tag%3Awater');
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.keyboard.press('j');
    await eventually(focused).toBe('Bread');
    await page.keyboard.press('j');
    await eventually(focused).toBe('Apples');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Apples' }).waitFor();
    await page.goBack();
    await eventually(focused).toBe('Apples');
    await view.getByRole('radio', { name: 'Comfortable' }).check();
    await order.selectOption('Newest first');
    await expectTitles(page, ['Rivers', 'Apples', 'Bread']);
  });

  test('MEM-15: a search is saved, listed in the navigation, renamed and removed', async () => {
    const { page } = app();
    await app().open('/?q=-tag%3Awater');
    await expectTitles(page, ['Apples', 'Bread']);
    await page.getByRole('button', { name: 'Remove -tag:water' }).click();
    await expectTitles(page, ['Rivers', 'Apples', 'Bread']);
    await app().open('/?q=tag%3Awater');
    await expectTitles(page, ['Rivers']);
    await page.getByRole('button', { name: 'Save search' }).click();
    const dialog = page.getByRole('dialog');
    // The suggested name is replaced by typing.
    await eventually(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('tag:water');
    await page.keyboard.type('About water');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectOutcome(page, 'Search saved.');
    await page.getByRole('link', { name: 'Everything' }).click();
    await expectTitles(page, ['Rivers', 'Apples', 'Bread']);
    await page.getByRole('link', { name: 'About water' }).click();
    await expectTitles(page, ['Rivers']);
    await page.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Water');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('link', { name: 'Water', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove saved search' }).click();
    await eventually(() => page.getByRole('link', { name: 'Water', exact: true }).count()).toBe(0);
    await undo(page);
    await page.getByRole('link', { name: 'Water', exact: true }).waitFor();
  });

  test('lists are also in the palette and, on a phone, over everything, which no long tag makes wider', async () => {
    const { page } = app();
    await app().save({
      title: 'Long',
      pageText: 'A long tag.',
      tags: ['t'.repeat(100)],
      capturedAt: '2025-01-01T10:00:00Z',
    });
    await app().open('/everything');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('starred');
    await page.getByRole('option', { name: 'Starred', exact: true }).click();
    await expectTitles(page, ['Rivers']);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Water', exact: true }).click();
    await expectTitles(page, ['Rivers']);
    await app().open('/everything');
    await expectTitles(page, ['Rivers', 'Apples', 'Bread', 'Long']);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('MEM-4: selected memories are starred and marked as read together', async () => {
    const { page } = app();
    await app().open('/everything');
    for (const title of ['Apples', 'Bread']) await page.getByRole('checkbox', { name: `Select ${title}` }).check();
    const bar = page.getByRole('toolbar', { name: 'Selected memories' });
    await bar.getByRole('button', { name: 'Star' }).click();
    await expectOutcome(page, '2 memories starred.');
    await bar.getByRole('button', { name: 'Mark as read' }).click();
    await eventually(async () => [(await memoryOf(1)).readState, (await memoryOf(2)).readState]).toEqual([
      'read',
      'read',
    ]);
    expect([(await memoryOf(1)).starred, (await memoryOf(2)).starred]).toEqual([true, true]);
    await bar.getByRole('button', { name: 'Select all' }).click();
    await eventually(() => bar.getByRole('button', { name: 'Select all' }).count()).toBe(0);
  });

  test('MEM-4: what leaves the list is no longer selected', async () => {
    const { page, server } = app();
    const some = ids.slice(1, 3);
    await server.client('changeMemories', { body: { ids: some, markAs: 'unread' } });
    await app().open('/?q=is%3Aunread');
    for (const title of ['Apples', 'Bread']) await page.getByRole('checkbox', { name: `Select ${title}` }).check();
    const bar = page.getByRole('toolbar', { name: 'Selected memories' });
    await bar.getByRole('button', { name: 'Mark as read' }).click();
    await expectOutcome(page, '2 memories marked as read.');
    for (const title of ['Apples', 'Bread'])
      await eventually(() => page.getByRole('checkbox', { name: `Select ${title}` }).count()).toBe(0);
    await eventually(() => bar.count()).toBe(0);
  });

  test('a finger that rests on a memory selects it, and on a touch screen its icon can be seen', async () => {
    const { page } = app();
    await app().open('/everything');
    const touch = await page.context().newCDPSession(page);
    await touch.send('Emulation.setEmulatedMedia', { features: [{ name: 'hover', value: 'none' }] });
    const row = rows(page).filter({ hasText: 'Bread' });
    const box = page.getByRole('checkbox', { name: 'Select Bread' });
    const icon = row.locator('.row-mark .icon');
    await eventually(() => icon.isVisible()).toBe(true);
    const place = await row.getByRole('link', { name: 'Bread' }).boundingBox();
    const touchPoints = [{ x: (place?.x ?? 0) + 5, y: (place?.y ?? 0) + 5 }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await eventually(() => box.isChecked()).toBe(true);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.getByRole('toolbar', { name: 'Selected memories' }).getByText('1 memory selected').waitFor();
    expect(new URL(page.url()).pathname).toBe('/everything');
    // The bar of the selection does not move the list under the finger.
    expect(await row.getByRole('link', { name: 'Bread' }).boundingBox()).toEqual(place);
    // While memories are selected, each shows its box instead of its icon.
    expect(await icon.isVisible()).toBe(false);
    await touch.detach();
  });

  test('an empty search field offers what was searched for, and operators', async () => {
    const { page } = app();
    await app().open('/everything');
    const field = page.getByRole('searchbox', { name: 'Search' });
    await field.fill('bread salt');
    await field.press('Enter');
    await eventually(async () => (await titlesOf(page))[0]).toBe('Bread');
    await app().open('/everything');
    await field.focus();
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    await eventually(() => options.allTextContents()).toEqual(['bread salt', 'tag:', 'site:', 'after:', 'is:unread']);
    await field.press('ArrowUp');
    await field.press('Enter');
    await eventually(async () => (await titlesOf(page))[0]).toBe('Bread');
    await field.fill('');
    await field.press('Escape');
    await eventually(() => options.count()).toBe(0);
  });

  test('IMP-3, MEM-14: a link, of whose page there is only the title, does not count as read when it is opened', async () => {
    const { server } = app();
    const [link = ''] = await app().save({
      title: 'A page to read',
      url: 'https://link.example/',
    });
    // A separate page, so that the other tests keep the real clock.
    const page = await app().page.context().newPage();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postData() ?? '');
    });
    await page.clock.install();
    await page.goto(`${server.address}/memory/${link}`);
    await eventually(() => sent).toEqual([JSON.stringify({ opened: true })]);
    await page.getByText('Only the link was saved.').waitFor();
    await page.clock.runFor(10_000);
    expect(sent).toHaveLength(1);
    await page.close();
    expect((await server.core.memories.get(LOCAL_USER, link)).readState).toBe('unread');
  });
});
