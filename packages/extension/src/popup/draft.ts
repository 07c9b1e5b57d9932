import type { Additions } from './to-capture.js';

const PREFIX = 'draft:';

/** What was typed for a page and not saved yet: the window closes at any click beside it. Gone when the browser ends. */
export async function readDraft(url: string): Promise<Additions | undefined> {
  const { [PREFIX + url]: draft } = await chrome.storage.session.get<Record<string, Additions | undefined>>(
    PREFIX + url,
  );
  return draft;
}

export async function keepDraft(url: string, additions: Additions): Promise<void> {
  const isEmpty = additions.tags === '' && additions.note === '';
  await (isEmpty
    ? chrome.storage.session.remove(PREFIX + url)
    : chrome.storage.session.set({ [PREFIX + url]: additions }));
}
