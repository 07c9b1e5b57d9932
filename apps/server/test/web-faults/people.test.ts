import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { browserPath } from '@recollect/browser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenApp, openApp } from './open-app.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(browserPath === undefined)('Settings, People (needs Chromium: apt-get install chromium)', () => {
  let app: OpenApp;
  let page: Page;
  beforeAll(async () => {
    app = await openApp();
    ({ page } = await app.open('/settings/people'));
  });
  afterAll(() => app?.close());

  const people = () => page.getByRole('list', { name: 'People' }).getByRole('listitem');
  const log = () => page.getByRole('list', { name: 'What operators did' }).getByRole('listitem');

  test('PPL-9: invites, suspends and deletes a person, with the keyboard, and logs it', async () => {
    await people().filter({ hasText: 'Runs this deployment' }).waitFor();
    expect(await log().count()).toBe(0);
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('Ann');
    await page.getByLabel('Memories at most').fill('5');
    await page.getByLabel('Megabytes at most').fill('2');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page
      .getByRole('alert')
      .getByText(/\/#invite=[\w-]{43}$/)
      .waitFor();
    await people().filter({ hasText: 'Ann Invited. Member. 0 memories of 5, 0 bytes of 2 MB.' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).press('Enter');

    const ann = (await app.server.core.people.list()).find(({ name }) => name === 'Ann');
    const id = ann?.id ?? '';
    await app.server.storage.users.update(id, { state: 'active' });
    await app.server.core.capture(id, [{ pageText: 'A memory of Ann.' }]);
    await page.reload();
    await page.getByRole('button', { name: 'Suspend Ann' }).press('Enter');
    await page.getByRole('status').getByText('Ann has no access now.').waitFor();
    await people().filter({ hasText: 'Suspended. Member. 1 memory of 5' }).waitFor();
    await page.getByRole('button', { name: 'Delete Ann' }).press('Enter');
    await page.getByRole('dialog').getByText('1 memory and everything else that is theirs').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter');
    expect(await people().count()).toBe(2);
    await log().filter({ hasText: 'Suspended Ann' }).waitFor();
    await log().filter({ hasText: 'Made a link for Ann' }).waitFor();
    await page.getByRole('button', { name: 'Delete Ann' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).press('Enter');
    await page.getByRole('status').getByText('Ann is deleted, with 1 memory, 0 highlights and 0 keys.').waitFor();
    await expect.poll(() => people().count()).toBe(1);
    expect(await app.server.core.people.list()).toHaveLength(1);
  });

  test('PPL-9: is accessible, and fits a window of 390 pixels', async () => {
    await app.server.core.people.create({ name: 'Bob With A Long Name '.repeat(4), address: 'bob@home.example' });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.reload();
    await people().filter({ hasText: 'Bob' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.evaluate(axe);
    const violations = await page.evaluate(async () => {
      const { violations } = await (
        globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }
      ).axe.run();
      return violations.map(({ id }) => id);
    });
    expect(violations).toEqual([]);
  });
});
