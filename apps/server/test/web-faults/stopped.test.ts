import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, browserPath, openContext } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openNote, replaceText, typedIn } from '../open-note.js';
import { startTestServer, type TestServer } from '../start-test-server.js';
import { openPage } from './open-app.js';

const BANNER = 'Can’t reach Recollect. Retrying…';

describe.skipIf(browserPath === undefined)('a server that stops (needs Chromium: apt-get install chromium)', () => {
  let folder: string;
  let browser: Browser;
  let server: TestServer;
  let [teaId, coffeeId] = ['', ''];

  const start = async (port = 0) => {
    server = await startTestServer({ url: `sqlite:${join(folder, 'recollect.db')}`, port });
  };
  const save = async (title: string, pageText: string) => {
    const { answer } = await server.core.capture(LOCAL_USER, [{ title, pageText }]);
    return answer.captures[0]?.id ?? '';
  };
  const open = async (path: string): Promise<Page> => (await openPage(browser, server.address, path)).page;
  const banner = (page: Page) => page.getByRole('alert').filter({ hasText: BANNER });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recollect-stopped-'));
    [browser] = await Promise.all([openContext(), start()]);
    teaId = await save('Green tea', 'Green tea is best steeped below boiling.');
    coffeeId = await save('Coffee', 'Coffee keeps its taste when it is ground late.');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('keeps what is typed, says so, and recovers after a restart on the same data', async () => {
    const { port } = server;
    const list = await open('/everything');
    await list.getByRole('link', { name: 'Green tea' }).waitFor();
    const reader = await open(`/memory/${teaId}`);
    const title = await open(`/memory/${coffeeId}`);
    await title.getByRole('button', { name: 'Edit title' }).click();
    await title.getByRole('textbox', { name: 'Title' }).fill('Coffee, ground late');
    await title.getByRole('button', { name: 'Edit tags' }).click();
    await title.getByRole('combobox', { name: 'New tag' }).fill('drinks');
    await reader.getByRole('textbox', { name: 'Note' }).waitFor();

    await server.close();

    await list.getByRole('searchbox', { name: 'Search' }).fill('ground');
    await banner(list).waitFor();
    await list.getByRole('heading', { name: 'Search needs the server.' }).waitFor();
    expect(await list.getByRole('link', { name: 'Green tea' }).count()).toBe(0);
    await list.getByRole('searchbox', { name: 'Search' }).fill('');
    await list.getByRole('link', { name: 'Green tea' }).waitFor();
    await list.getByRole('searchbox', { name: 'Search' }).fill('ground');
    await reader.getByRole('textbox', { name: 'Note' }).fill('At 70 degrees.');
    await reader.getByRole('textbox', { name: 'Note' }).blur();
    await reader.getByRole('status').filter({ hasText: 'Can’t reach Recollect' }).waitFor();
    await banner(reader).waitFor();
    await title.getByRole('textbox', { name: 'Title' }).press('Enter');
    await title.getByRole('status').filter({ hasText: 'Can’t reach Recollect' }).waitFor();
    expect(await title.getByRole('heading', { level: 1 }).textContent()).toBe('Coffee');
    // A page whose script was not loaded yet: the present one stays.
    await list.getByRole('link', { name: 'Tags' }).click();
    await banner(list).waitFor();

    await start(port);

    for (const page of [list, reader, title]) await banner(page).waitFor({ state: 'detached' });
    expect(await reader.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('At 70 degrees.');
    await expect.poll(async () => (await server.core.memories.get(LOCAL_USER, teaId)).note).toBe('At 70 degrees.');
    expect(await title.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Coffee, ground late');
    expect(await title.getByRole('combobox', { name: 'New tag' }).inputValue()).toBe('drinks');
    await title.getByRole('textbox', { name: 'Title' }).press('Enter');
    await title.getByRole('heading', { level: 1, name: 'Coffee, ground late' }).waitFor();
    await title.getByRole('combobox', { name: 'New tag' }).press('Enter');
    await title.getByRole('button', { name: 'Remove tag drinks' }).waitFor();
    // The page that was asked for opens, since its script can be loaded now.
    await list.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
    await Promise.all([list, reader, title].map((page) => page.close()));
  });

  test('lists what was found and what is new after a restart, without being asked', { tags: 'long' }, async () => {
    const { port } = server;
    const list = await open('/everything');
    await list.getByRole('link', { name: 'Green tea' }).waitFor();
    await server.close();
    await list.getByRole('searchbox', { name: 'Search' }).fill('steeped');
    await banner(list).waitFor();
    await start(port);
    await banner(list).waitFor({ state: 'detached' });
    await list.getByText(/^\d+ results?$/).waitFor();
    expect(await list.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('steeped');
    // The notifications of changes are back too.
    await list.getByRole('searchbox', { name: 'Search' }).fill('');
    await list.getByRole('link', { name: 'Green tea' }).waitFor();
    await save('Cocoa', 'Cocoa is stirred into cold milk first.');
    await list.getByRole('link', { name: 'Cocoa' }).waitFor();
    await list.close();
  });

  test('keeps the note on a memory whose page is closed while the server is stopped', { tags: 'long' }, async () => {
    const { port } = server;
    const note = (page: Page) => page.getByRole('textbox', { name: 'Note' });
    const stored = async () => (await server.core.memories.get(LOCAL_USER, coffeeId)).note;
    const first = await open(`/memory/${coffeeId}`);
    await note(first).waitFor();
    await server.close();
    await note(first).fill('Typed in vain?');
    await first.close({ runBeforeUnload: true });
    await start(port);
    const second = await open(`/memory/${coffeeId}`);
    await expect.poll(() => note(second).inputValue()).toBe('Typed in vain?');
    await note(second).focus();
    await note(second).blur();
    await expect.poll(stored).toBe('Typed in vain?');
    // Another window changed it since this draft was begun.
    await note(second).fill('Mine');
    await server.core.memories.update(LOCAL_USER, coffeeId, { note: 'Theirs' });
    const warning = second
      .getByRole('alert')
      .filter({ hasText: 'The stored text changed after you began this draft.' });
    await warning.getByText('Show the stored text').click();
    expect(await warning.getByRole('textbox', { name: 'Stored text' }).inputValue()).toBe('Theirs');
    await note(second).blur();
    expect(await stored()).toBe('Theirs');
    await warning.getByRole('button', { name: 'Keep my draft' }).click();
    await note(second).focus();
    await note(second).blur();
    await expect.poll(stored).toBe('Mine');
    await second.close();
  });

  test('asks which note to keep, and overwrites none, if another client changes it while it is typed', async () => {
    const page = await open(`/memory/${coffeeId}`);
    await page.clock.install();
    const note = page.getByRole('textbox', { name: 'Note' });
    const stored = async () => (await server.core.memories.get(LOCAL_USER, coffeeId)).note;
    await note.fill('Typed before the answer');
    await server.core.memories.update(LOCAL_USER, coffeeId, { note: 'Changed by the other' });
    await page.getByRole('alert').filter({ hasText: 'The stored text changed' }).waitFor();
    // The pause after which a note is saved began before the question.
    await page.clock.runFor(20_000);
    await note.focus();
    await note.blur();
    await page.clock.runFor(20_000);
    expect(await stored()).toBe('Changed by the other');
    // A request that an outdated window sends anyway is refused.
    const body = { note: 'Typed before the answer', expected: { note: 'What there was' } };
    const refused = await server.send('PATCH', `/api/v1/memories/${coffeeId}`, body);
    expect([refused.status, refused.body.code]).toEqual([409, 'MEMORY_CHANGED']);
    expect(await stored()).toBe('Changed by the other');
    await page.close();
  });

  test('keeps a note that cannot be saved, also when the page is reloaded', async () => {
    const { port } = server;
    const page = await open('/everything');
    await openNote(page);
    await replaceText(page.getByLabel('Text, in Markdown'), 'Oolong is between the two.');
    await server.close();
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Your note is kept here.').waitFor();
    await start(port);
    await page.reload();
    await openNote(page);
    expect(await typedIn(page.getByLabel('Text, in Markdown'))).toBe('Oolong is between the two.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    await page.close();
  });
});
