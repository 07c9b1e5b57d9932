import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openNote, replaceText, typedIn } from '../open-note.js';
import { pressMore } from '../press-more.js';
import { type OpenApp, openApp } from './open-app.js';

describe.skipIf(browserPath === undefined)('SEC-19: signing in (needs Chromium: apt-get install chromium)', () => {
  let app: OpenApp;
  let page: Page;
  let faults: string[];
  let id = '';

  const show = (path: string) => page.goto(app.server.address + path);
  const createKey = (scopes: ('admin' | 'memory:read')[]) =>
    app.server.core.apiKeys.create(LOCAL_USER, { name: scopes.join(' '), scopes });
  const signIn = async (key: string) => {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' });
  };
  /** Revokes a key just before the next request of this method whose body has a name. */
  const revokeDuring = async (method: string, keyId: string, name = '') => {
    let isRevoked = false;
    await page.route('**/api/v1/**', async (route) => {
      const request = route.request();
      if (request.method() === method && (request.postData() ?? '').includes(name) && !isRevoked) {
        isRevoked = true;
        await app.server.core.apiKeys.revoke(LOCAL_USER, keyId);
      }
      await route.continue();
    });
  };
  const isSignedOut = () => page.getByRole('dialog', { name: 'Sign in' }).waitFor();

  beforeAll(async () => {
    app = await openApp({ policy: { auth: 'required' } });
    [id = ''] = await app.save({ title: 'Green tea', pageText: 'Green tea is best steeped below boiling.' });
  });
  beforeEach(async () => {
    await page?.close();
    await app.browser.context.clearCookies();
    ({ page, faults } = await app.open('/everything'));
    await isSignedOut();
  });
  afterAll(() => app?.close());

  test('shows nothing without a key, rejects a wrong one, and shows everything with a right one', async () => {
    expect(await page.title()).toBe('Sign in – Recollect');
    // Keys of the app do not reach what is behind, and the dialog cannot be closed.
    for (const key of ['Escape', 'Escape', 'n', '?']) await page.keyboard.press(key);
    await isSignedOut();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.getByLabel('API key').fill(`rec_${'0'.repeat(40)}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The API key is invalid, expired or revoked.').waitFor();
    expect(await page.getByLabel('API key').getAttribute('aria-invalid')).toBe('true');
    const { key } = await createKey(['admin']);
    await signIn(` ${key} `);
    await page.getByRole('link', { name: 'Green tea' }).waitFor();
    expect(await page.title()).toBe('Everything – Recollect');
    // The number of the last change is not secret.
    await expect
      .poll(() => page.evaluate(() => [document.cookie, JSON.stringify({ ...localStorage, ...sessionStorage })]))
      .toEqual(['', expect.stringMatching(/^\{"recollect-last-change":"\d+"\}$/)]);
    expect(faults).toEqual([]);
  });

  test('asks for a key when the session ends, and keeps what was typed', async () => {
    const { key, apiKey } = await createKey(['admin']);
    await signIn(key);
    await show(`/memory/${id}`);
    await page.getByRole('button', { name: 'Edit title' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Sencha');
    // The palette opens and closes over it.
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Sencha');
    // The page also says how far the memory has been read.
    await revokeDuring('PATCH', apiKey.id, 'note');
    await page.getByRole('textbox', { name: 'Note' }).fill('At 70 degrees.');
    await page.getByRole('textbox', { name: 'Note' }).blur();
    await isSignedOut();
    expect(await page.getByText('Green tea is best').isVisible()).toBe(false);
    const next = await createKey(['admin']);
    await signIn(next.key);
    expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('At 70 degrees.');
    await expect.poll(async () => (await app.server.core.memories.get(LOCAL_USER, id)).note).toBe('At 70 degrees.');
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Sencha');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sencha' }).waitFor();
    // The page shows it before the server has it.
    await expect.poll(async () => (await app.server.core.memories.get(LOCAL_USER, id)).title).toBe('Sencha');
    // Notifications of changes belong to the new session.
    await app.server.core.memories.update(LOCAL_USER, id, { title: 'Green tea' });
    await page.getByRole('heading', { level: 1, name: 'Green tea' }).waitFor();
  });

  test('asks again over an open note, which is saved after signing in', async () => {
    const { key, apiKey } = await createKey(['admin']);
    await signIn(key);
    await openNote(page);
    await replaceText(page.getByLabel('Text, in Markdown'), 'Oolong is between the two.');
    await revokeDuring('POST', apiKey.id);
    await page.getByRole('button', { name: 'Save note' }).click();
    await isSignedOut();
    expect(await page.getByLabel('Text, in Markdown').isVisible()).toBe(false);
    await signIn((await createKey(['admin'])).key);
    expect(await typedIn(page.getByLabel('Text, in Markdown'))).toBe('Oolong is between the two.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByRole('link', { name: 'Oolong' }).first().waitFor();
  });

  test('a sign-in in one window is one in all', async () => {
    const other = await app.open('/everything');
    await other.page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    await signIn((await createKey(['memory:read'])).key);
    await other.page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' });
    await other.page.getByRole('link', { name: 'Green tea' }).waitFor();
    await other.page.close();
  });

  test('asks again as soon as the key is revoked, also while nothing is done', async () => {
    const { key, apiKey } = await createKey(['admin']);
    await signIn(key);
    await page.getByRole('link', { name: 'Green tea' }).waitFor();
    await app.server.core.apiKeys.revoke(LOCAL_USER, apiKey.id);
    // The stream of changes ends instead of announcing this one.
    await app.save({ title: 'Cocoa', pageText: 'Cocoa is stirred into cold milk first.' });
    await isSignedOut();
  });

  test('a key that may only read and search changes nothing, and every page says so', { tags: 'long' }, async () => {
    await signIn((await createKey(['memory:read'])).key);
    await page.getByRole('link', { name: 'Green tea' }).click();
    const note = page.getByRole('textbox', { name: 'Note' });
    await note.fill('Not allowed.');
    await note.blur();
    await page.getByRole('status').filter({ hasText: 'memory:write' }).waitFor();
    expect(await note.inputValue()).toBe('Not allowed.');
    await note.fill('At 70 degrees.');
    await pressMore(page, 'Delete');
    await page.getByRole('status').filter({ hasText: 'memory:write' }).waitFor();
    await openNote(page);
    await replaceText(page.getByLabel('Text, in Markdown'), 'Not allowed either.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByRole('alert').filter({ hasText: 'capture:write' }).waitFor();
    await replaceText(page.getByLabel('Text, in Markdown'), '');
    await page.keyboard.press('Escape');
    for (const path of ['/tags', '/trash', '/highlights']) {
      await show(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
    }
    for (const [path, name, scope] of [
      ['/settings/health', 'Health', 'operate'],
      ['/settings/connect', 'API keys', 'admin'],
    ] as const) {
      await show(path);
      await page.getByRole('region', { name }).getByRole('alert').filter({ hasText: scope }).waitFor();
    }
    await show('/settings/privacy');
    await page.getByText('Only a key that may do everything can see the other sessions.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await isSignedOut();
    expect(await app.browser.context.cookies()).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('lists sessions, ends another one, and signs out', async () => {
    const other = await createKey(['admin']);
    const opened = await app.server.core.sessions.open(
      { userId: LOCAL_USER, apiKeyId: other.apiKey.id, scopes: ['admin'], keyName: 'x' } as never,
      'Firefox on Android',
    );
    await signIn((await createKey(['admin'])).key);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Privacy' }).click();
    const sessions = page.getByRole('list', { name: 'Sessions' });
    const row = sessions.getByRole('listitem').filter({ hasText: 'Firefox on Android' });
    await row.getByRole('button', { name: 'End session' }).click();
    await row.waitFor({ state: 'detached' });
    await expect.poll(() => app.server.core.sessions.authenticate(opened.token)).toBeNull();
    await sessions.getByRole('button', { name: 'Sign out' }).click();
    await isSignedOut();
    expect(await app.browser.context.cookies()).toEqual([]);
  });
});
