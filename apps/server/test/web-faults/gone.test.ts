import { browserPath } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenApp, openApp } from './open-app.js';

describe.skipIf(browserPath === undefined)('a memory that is gone (needs Chromium: apt-get install chromium)', () => {
  let app: OpenApp;
  let page: Page;

  beforeAll(async () => {
    app = await openApp();
    ({ page } = await app.open('/everything'));
  });
  afterAll(() => app?.close());

  const show = (path: string) => page.goto(app.server.address + path);
  const gone = () => page.getByRole('heading', { name: 'This memory is not here.' });

  test('says so at an unknown address, and leads back', async () => {
    await show('/memory/01999999-0000-7000-8000-000000000000');
    await gone().waitFor();
    await page.getByText('There is no memory at this address.').waitFor();
    expect(await page.getByRole('button', { name: 'Restore it from the trash' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Show everything' }).click();
    await page.getByText('Welcome to Recollect').waitFor();
  });

  test('restores a memory that is in the trash', async () => {
    const [id = ''] = await app.save({ title: 'Green tea', pageText: 'Green tea is best steeped below boiling.' });
    await app.server.core.memories.remove(LOCAL_USER, id);
    await show(`/memory/${id}`);
    await gone().waitFor();
    await page.getByRole('button', { name: 'Restore it from the trash' }).click();
    await page.getByRole('heading', { level: 1, name: 'Green tea' }).waitFor();
    expect(await gone().count()).toBe(0);
  });

  test('keeps what is being typed when another client deletes the memory, and saves it after a restore', async () => {
    const [id = ''] = await app.save({ title: 'Coffee', pageText: 'Coffee keeps its taste when it is ground late.' });
    await show(`/memory/${id}`);
    await page.getByRole('button', { name: 'Edit title' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Coffee, ground late');
    await app.server.core.memories.remove(LOCAL_USER, id);
    await gone().waitFor();
    // Only the message and its buttons are there.
    await page.getByRole('article').waitFor({ state: 'hidden' });
    expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Restore it from the trash' }).click();
    await gone().waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Coffee, ground late');
    await page.getByRole('textbox', { name: 'Title' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Coffee, ground late' }).waitFor();
    // The heading is there before the title is saved.
    const stored = async () => (await app.server.core.memories.get(LOCAL_USER, id)).title;
    await expect.poll(stored).toBe('Coffee, ground late');
  });

  test('leaves the list when another client deletes it', async () => {
    const [id = ''] = await app.save({ title: 'Cocoa', pageText: 'Cocoa is stirred into cold milk first.' });
    await show('/everything');
    await page.getByRole('link', { name: 'Cocoa' }).waitFor();
    await app.server.core.memories.remove(LOCAL_USER, id);
    await page.getByRole('link', { name: 'Cocoa' }).waitFor({ state: 'detached' });
  });
});
