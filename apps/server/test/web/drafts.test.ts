import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openNote, replaceText, typedIn } from '../open-note.js';
import { describeApp, eventually, expectOutcome } from './open-app.js';

describeApp('drafts in two windows', (app) => {
  let [id, other]: [string, Page | null] = ['', null];
  beforeAll(async () => {
    [id = ''] = await app().save({ title: 'Oolong', pageText: 'Between green and black.', sourceApp: 'web' });
  });
  const stored = () => app().server.client('getMemory', { parameters: { id } });
  const windows = async (): Promise<[Page, Page]> => {
    other ??= await app().context.newPage();
    const both: [Page, Page] = [app().page, other];
    for (const page of both) {
      await page.goto(`${app().server.address}/memory/${id}`);
      await page.getByRole('textbox', { name: 'Note' }).waitFor();
    }
    return both;
  };
  const warning = (page: Page) => page.getByRole('alert').filter({ hasText: 'The stored text changed' });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  /** The second window must not replace what the first one stored, unless its user decides so. */
  const expectQuestion = async (second: Page, field: Locator, mine: string, theirs: string) => {
    await warning(second).waitFor();
    expect(await typedIn(field)).toBe(mine);
    await warning(second).getByText('Show the stored text').click();
    expect(await second.getByRole('textbox', { name: 'Stored text' }).inputValue()).toBe(theirs);
  };

  test('a note is not overwritten, however long the other window waits before it is asked', {
    tags: 'long',
  }, async () => {
    const [first, second] = await windows();
    const [theirs, mine] = [first, second].map((page) => page.getByRole('textbox', { name: 'Note' }));
    if (theirs === undefined || mine === undefined) return;
    // The second window learns nothing of the change before it saves, so only the server can refuse it.
    const learns = Promise.withResolvers<void>();
    await second.route(`**/api/v1/memories/${id}`, async (route) => {
      if (route.request().method() === 'GET') await learns.promise;
      await route.continue();
    });
    await mine.fill('Mine.');
    await theirs.fill('Theirs.');
    await theirs.blur();
    await eventually(async () => (await stored()).note).toBe('Theirs.');
    await mine.blur();
    await expectOutcome(second, 'The note was changed meanwhile');
    expect((await stored()).note).toBe('Theirs.');
    learns.resolve();
    // The pause after which it is saved, leaving the field, and hiding the page ask again, and save nothing.
    await mine.fill('Mine, longer.');
    await mine.blur();
    await expectQuestion(second, mine, 'Mine, longer.', 'Theirs.');
    await second.clock.install();
    await mine.focus();
    await second.clock.runFor(20_000);
    await mine.blur();
    await second.evaluate(() => dispatchEvent(new Event('pagehide')));
    expect((await stored()).note).toBe('Theirs.');
    await button(second, 'Keep my draft').click();
    await mine.focus();
    await mine.blur();
    await eventually(async () => (await stored()).note).toBe('Mine, longer.');
    await eventually(() => theirs.inputValue()).toBe('Mine, longer.');
  });

  test('keeps text that is typed while a note is being saved', { tags: 'long' }, async () => {
    const [page] = await windows();
    const field = page.getByRole('textbox', { name: 'Note' });
    const gate = Promise.withResolvers<void>();
    await page.route(`**/api/v1/memories/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') await gate.promise;
      await route.continue();
    });
    await field.fill('Begun');
    await field.blur();
    await field.pressSequentially(', and continued');
    gate.resolve();
    await eventually(async () => (await stored()).note).toBe('Begun');
    expect(await field.inputValue()).toBe('Begun, and continued');
    await field.blur();
    await eventually(async () => (await stored()).note).toBe('Begun, and continued');
    expect(await warning(page).count()).toBe(0);
    await page.unroute(`**/api/v1/memories/${id}`);
  });

  test('the note that is being written is one in all windows, and no window puts back what it was before', async () => {
    const [first, second] = await windows();
    const text = (page: Page) => page.getByRole('textbox', { name: 'Text, in Markdown if you like' });
    const kept = () => first.evaluate(() => localStorage.getItem('recollect-note'));
    for (const page of [first, second]) {
      await openNote(page);
      await text(page).waitFor();
    }
    await replaceText(text(first), 'Begun in the first');
    await eventually(() => typedIn(text(second))).toBe('Begun in the first');
    await replaceText(text(second), 'Begun in the first, and continued in the second');
    await eventually(() => typedIn(text(first))).toContain('in the second');
    await button(first, 'Cancel').click();
    expect(await kept()).toContain('continued in the second');
    // A browser without room for it keeps nothing, so the window stays.
    await second.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('', 'QuotaExceededError');
      };
    });
    await replaceText(text(second), 'Too long');
    await button(second, 'Cancel').click();
    await second.getByRole('alert').getByText('The browser has no room for your draft.').waitFor();
    expect(await typedIn(text(second))).toBe('Too long');
    await first.evaluate(() => localStorage.removeItem('recollect-note'));
  });

  test('a title is not overwritten', { tags: 'long' }, async () => {
    const [first, second] = await windows();
    for (const page of [first, second]) await button(page, 'Edit title').click();
    const field = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true });
    await field(second).fill('Oolong, mine');
    await field(first).fill('Oolong, theirs');
    await field(first).press('Enter');
    await expectOutcome(first, 'Title changed.');
    await expectQuestion(second, field(second), 'Oolong, mine', 'Oolong, theirs');
    await field(second).press('Enter');
    expect([(await stored()).title, await button(second, 'Save').isDisabled()]).toEqual(['Oolong, theirs', true]);
    await button(second, 'Keep my draft').click();
    await field(second).press('Enter');
    await second.getByRole('heading', { level: 1, name: 'Oolong, mine' }).waitFor();
    // The heading shows the title before it is stored.
    await eventually(async () => (await stored()).title).toBe('Oolong, mine');
  });

  test('a window that is cancelled forgets its own draft alone, which outlives its tab', { tags: 'long' }, async () => {
    const [first, second] = await windows();
    for (const page of [first, second]) await button(page, 'Edit title').click();
    const field = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true });
    const kept = () => second.evaluate((place) => localStorage.getItem(place), `recollect-title-${id}`);
    await field(first).fill('Of the first');
    await field(second).fill('Of the second');
    await button(first, 'Cancel').click();
    expect(await kept()).toContain('Of the second');
    await button(second, 'Cancel').click();
    expect(await kept()).toBeNull();
  });

  test('MEM-1: a text is not overwritten, and a change of the tags does not ask', async () => {
    const [first, second] = await windows();
    for (const page of [first, second]) {
      await button(page, 'Edit text').click();
      await page.locator('.cm-content').waitFor();
    }
    const field = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
    await replaceText(field(second), 'The text of the second window.');
    await app().server.client('updateMemory', { parameters: { id }, body: { tags: ['tea'] } });
    await second.getByRole('link', { name: 'tea', exact: true }).waitFor();
    expect(await warning(second).count()).toBe(0);
    await replaceText(field(first), 'The text of the first window.');
    await field(first).press('Control+Enter');
    await expectOutcome(first, 'Text changed.');
    await expectQuestion(second, field(second), 'The text of the second window.', 'The text of the first window.');
    await field(second).press('Control+Enter');
    expect((await stored()).text).toBe('The text of the first window.');
    await button(second, 'Keep my draft').click();
    await field(second).press('Control+Enter');
    await expectOutcome(second, 'Text changed.');
    await first.getByRole('article').getByText('The text of the second window.').waitFor();
  });
});
