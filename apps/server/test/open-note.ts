import type { Locator, Page } from 'playwright-core';

/** Opens the dialog for a new note with the pointer. */
export async function openNote(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog', { name: 'Add', exact: true }).getByRole('button', { name: 'New note' }).click();
}

/** The text in a field: an element of a form, or the editor of notes, whose host has it. */
export function typedIn(field: Locator): Promise<string> {
  return field.evaluate((element) => {
    const root = element.getRootNode();
    return (root instanceof ShadowRoot ? (root.host as HTMLInputElement) : (element as HTMLInputElement)).value;
  });
}

/** Replaces the text in a field for notes: a plain one, or the editor, which keeps its selection. */
export async function replaceText(field: Locator, text: string): Promise<void> {
  if (await field.evaluate(({ tagName }) => tagName === 'TEXTAREA')) return field.fill(text);
  await field.focus();
  await field.press('ControlOrMeta+A');
  if (text === '') await field.press('Delete');
  else await field.page().keyboard.insertText(text);
}
