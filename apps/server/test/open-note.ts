import type { Page } from 'playwright-core';

/** Opens the dialog for a new note with the pointer. */
export async function openNote(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog', { name: 'Add', exact: true }).getByRole('button', { name: 'New note' }).click();
}
