import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pressMore } from '../press-more.js';
import { rows } from '../web/open-app.js';
import { type OpenApp, openApp } from './open-app.js';

const FULL = { status: 507, code: 'STORAGE_FULL', detail: 'The disk is full. Free some space.' };
const BROKEN = { status: 500, code: 'INTERNAL', detail: 'Something broke on the server.' };

/** The answers of a failing server, or of none. The long suite has all of them. */
const FAILURES = [
  BROKEN,
  FULL,
  { status: 409, code: 'CONFLICT', detail: 'Another change came first.' },
  { status: 0, code: '', detail: 'Can’t reach Recollect.' },
].filter(({ status }) => process.env.LONG === '1' || status === 0);

describe.skipIf(browserPath === undefined)('requests that fail (needs Chromium: apt-get install chromium)', () => {
  let app: OpenApp;
  let page: Page;
  let ids: string[] = [];

  const outcome = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text });
  /** Answers requests of this method and address with a failure, until the page is reloaded. */
  const fail = (method: string, path: string, { status, code, detail }: typeof BROKEN) =>
    page.route(`**${path}`, (route) => {
      if (route.request().method() !== method) return route.fallback();
      if (status === 0) return route.abort('connectionrefused');
      const body = JSON.stringify({ type: 'about:blank', title: code, status, code, detail });
      return route.fulfill({ status, contentType: 'application/problem+json', body });
    });

  beforeAll(async () => {
    app = await openApp();
    ids = await app.save(
      { title: 'Green tea', pageText: 'Green tea is best steeped below boiling.', tags: ['tea'] },
      { title: 'Coffee', pageText: 'Coffee keeps its taste when it is ground late.' },
      { title: 'Cocoa', pageText: 'Cocoa is stirred into cold milk first.' },
    );
    ({ page } = await app.open('/everything'));
  });
  afterAll(() => app?.close());
  afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

  test.each(FAILURES)('$status: a change of a memory is rolled back, and what was typed stays', async (failure) => {
    await page.goto(`${app.server.address}/memory/${ids[0]}`);
    await fail('PATCH', '/api/v1/memories/*', failure);
    const note = page.getByRole('textbox', { name: 'Note' });
    await note.fill('At 70 degrees.');
    await note.blur();
    await outcome(failure.detail).waitFor();
    expect(await note.inputValue()).toBe('At 70 degrees.');

    await page.getByRole('button', { name: 'Edit title' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Sencha');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await outcome(failure.detail).waitFor();
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Sencha');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Green tea' }).waitFor();

    await fail('POST', '/api/v1/memories/change', failure);
    await page.getByRole('button', { name: 'Edit tags' }).click();
    await page.getByRole('combobox', { name: 'New tag' }).fill('drinks');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.locator('#main').getByRole('button', { name: 'Add', exact: true }).click();
    await outcome(failure.detail).waitFor();
    expect(await page.getByRole('combobox', { name: 'New tag' }).inputValue()).toBe('drinks');
    expect(await page.locator('.reader-tags .chip').allTextContents()).toEqual(['tea']);
    const stored = await app.server.core.memories.get(LOCAL_USER, ids[0] ?? '');
    expect([stored.title, stored.note, stored.tags]).toEqual(['Green tea', null, ['tea']]);
    // A note that stays unsaved would be saved on leaving.
    await note.fill('');
  });

  test.each(FAILURES)('$status: memories that could not be deleted come back, still selected', async (failure) => {
    await page.goto(`${app.server.address}/everything`);
    await page.getByRole('link', { name: 'Coffee' }).waitFor();
    await fail('POST', '/api/v1/memories/change', failure);
    for (const title of ['Coffee', 'Cocoa']) await page.getByLabel(`Select ${title}`).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await outcome(failure.detail).waitFor();
    expect(await page.getByRole('list', { name: 'Memories' }).getByRole('listitem').count()).toBe(3);
    await page.getByText('2 memories selected').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  test.each(FAILURES)('$status: a small dialog stays open with the typed text, and says why', async (failure) => {
    const failing = page.getByRole('dialog').getByRole('alert').filter({ hasText: failure.detail });
    const field = page.getByRole('dialog').locator('input');
    const closed = () => expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    const stays = async (text: string) => {
      await field.fill(text);
      await field.press('Enter');
      await failing.waitFor();
      expect(await field.inputValue()).toBe(text);
    };
    await page.goto(`${app.server.address}/tags`);
    await fail('POST', '/api/v1/tags/rename', failure);
    await page.getByRole('button', { name: 'Rename tea' }).click();
    await stays('drinks');
    await page.unrouteAll();
    await field.press('Enter');
    await outcome('tea renamed to drinks in 1 memory.').waitFor();
    await closed();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Rename tea' }).waitFor();

    await page.goto(`${app.server.address}/everything`);
    await page.getByLabel('Select Coffee').check();
    await fail('POST', '/api/v1/memories/change', failure);
    await page.getByRole('button', { name: 'Add tag' }).click();
    await field.fill('hot, ');
    await stays('dark');
    await page.getByRole('list', { name: 'Chosen tags' }).getByText('hot').waitFor();
    expect((await app.server.core.memories.get(LOCAL_USER, ids[1] ?? '')).tags).toEqual([]);
    await page.keyboard.press('Escape');
    await closed();
  });

  test('a change that fails half-way says how far it went, and can be undone', async () => {
    await page.goto(`${app.server.address}/everything`);
    const tagsOf = async (at: number) => (await app.server.core.memories.get(LOCAL_USER, ids[at] ?? '')).tags;
    const { changeId } = await app.server.core.bulk.change(LOCAL_USER, { ids: ids.slice(1, 2), addTags: ['half'] });
    await rows(page).filter({ hasText: 'half' }).waitFor();
    const problem = {
      status: 503,
      code: 'STORE_BUSY',
      detail:
        'Another process is writing. Before that, 1 of 2 memories were changed. Repeat the change for the others, or undo it: its id is x.',
    };
    const body = JSON.stringify({ type: 'about:blank', title: 'Busy', ...problem, changeId, changed: 1 });
    await page.route('**/api/v1/memories/change', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body }),
    );
    for (const title of ['Coffee', 'Cocoa']) await page.getByLabel(`Select ${title}`).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Star' }).click();
    await outcome(/Only 1 of 2 memories changed\. Another process is writing\.(?! Before)/).waitFor();
    await page.unrouteAll();
    expect(await tagsOf(1)).toEqual(['half']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await outcome('Undone.').waitFor();
    expect(await tagsOf(1)).toEqual([]);
  });

  test('an undo that fails can be tried again', async () => {
    await page.goto(`${app.server.address}/memory/${ids[1]}`);
    await pressMore(page, 'Delete');
    await outcome('Moved to the trash.').waitFor();
    await fail('POST', '/api/v1/changes/*/undo', BROKEN);
    await page.getByRole('button', { name: 'Undo' }).click();
    await outcome('It could not be undone. Something broke on the server.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Undo' }).click();
    await outcome('Undone.').waitFor();
    await page.getByRole('link', { name: 'Coffee' }).waitFor();
  });

  test('a list that could not be read can be read again', async () => {
    await fail('GET', '/api/v1/memories?*', BROKEN);
    await page.goto(`${app.server.address}/everything`);
    await page.getByRole('alert').filter({ hasText: 'Something broke on the server.' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Cocoa' }).waitFor();
    expect(await page.getByRole('alert').filter({ hasText: 'Something broke' }).count()).toBe(0);
  });

  test('a highlight that could not be saved keeps its selection and its note', async () => {
    await page.goto(`${app.server.address}/memory/${ids[2]}`);
    await page.getByRole('article').getByText('Cocoa is stirred').waitFor();
    await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('article p') as Element));
    await page.getByRole('button', { name: 'Highlight with note' }).click();
    const note = page.getByRole('textbox', { name: 'Note on the highlight' });
    await note.pressSequentially('Cold, not warm', { delay: 25 });
    await fail('POST', '/api/v1/memories/*/highlights', FULL);
    await note.press('Enter');
    await outcome('The disk is full.').waitFor();
    expect(await note.inputValue()).toBe('Cold, not warm');
    await page.unrouteAll();
    await note.press('Enter');
    await page.getByRole('list', { name: 'Highlights' }).getByText('Cold, not warm').waitFor();
  });
});
