import { expect, test } from 'vitest';
import { describeApp } from './open-app.js';

describeApp('sharing', (app) => {
  /** Signs this browser in as a person, who comes before the local user. */
  const signIn = async (userId: string) => {
    const { core, address } = app().server;
    const { key } = await core.apiKeys.create(userId, { scopes: ['admin'] });
    const holder = await core.apiKeys.authenticate(key);
    if (holder === null) throw new Error('Expected a holder.');
    const { token } = await core.sessions.open(holder, 'Browser');
    await app().context.addCookies([{ name: 'recollect', value: token, url: address }]);
  };

  test('SHR-5: a tag is shared with a person, who reads it and adds a memory', async () => {
    const { page, server } = app();
    const ann = await server.core.people.create({ name: 'Ann' });
    await app().save({ title: 'Green tea', pageText: 'Steep it **gently**.', tags: ['drinks'], note: 'private' });
    const { answer } = await server.core.capture(ann.id, [{ title: 'Coffee', pageText: 'Grind it.' }]);
    await app().open('/tags');
    await page.getByRole('button', { name: 'Share drinks' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share drinks' });
    await dialog.getByRole('combobox').selectOption({ label: 'Ann' });
    await dialog.getByLabel('May add memories').check();
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByText('Reads, and adds memories.').waitFor();
    await dialog.getByRole('button', { name: 'Create a public page' }).click();
    const link = dialog.getByRole('link', { name: /\/public\// });
    const address = await link.getAttribute('href');
    expect(await (await fetch(address ?? '')).text()).toContain('Green tea');
    await dialog.getByRole('button', { name: 'Stop sharing with everyone' }).click();
    await link.waitFor({ state: 'detached' });
    expect((await fetch(address ?? '')).status).toBe(404);
    await dialog.getByRole('button', { name: 'Done' }).click();

    await signIn(ann.id);
    await app().open(`/memory/${answer.captures[0]?.id}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Add to a shared tag' }).click();
    await page.getByRole('button', { name: 'Add to drinks' }).click();
    await page.getByText('Added to drinks.').waitFor();
    await page.getByRole('link', { name: 'Shared with me' }).click();
    await page.getByRole('link', { name: 'drinks' }).click();
    const listed = page.getByRole('list', { name: 'Shared memories' });
    await listed.getByRole('link', { name: 'Coffee' }).waitFor();
    await listed.getByRole('link', { name: 'Green tea' }).click();
    await page.getByRole('heading', { name: 'Green tea' }).waitFor();
    await page.locator('.article strong', { hasText: 'gently' }).waitFor();
    expect(await page.locator('main').textContent()).not.toContain('private');
    await app().context.clearCookies();
  });

  test('SHR-5: a saved search is shared from its list', async () => {
    const { page, server } = app();
    await server.core.savedSearches.create('local', { name: 'Kept', query: 'tag:drinks' });
    await app().open('/?q=tag%3Adrinks');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share Kept' });
    await dialog.getByRole('combobox').selectOption({ label: 'Ann' });
    expect(await dialog.getByLabel('May add memories').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByText('Reads.').waitFor();
    expect(await server.core.shared.list('local')).toMatchObject({ shared: [{ isOwn: true }] });
  });
});
