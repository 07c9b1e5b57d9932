import type { Page } from 'playwright-core';

/** Presses what is in the menu of a memory. */
export async function pressMore(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name, exact: true }).click();
}
