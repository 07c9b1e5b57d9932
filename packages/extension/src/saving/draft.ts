import { type Additions, NO_ADDITIONS } from './to-capture.js';

const PREFIX = 'draft:';

/**
 * The unsaved title, tags and note of a page, since any click outside closes the popup. Lost when the browser closes.
 */
export async function readDraft(url: string): Promise<Additions | undefined> {
  const { [PREFIX + url]: draft } = await chrome.storage.session.get<Record<string, Additions | undefined>>(
    PREFIX + url,
  );
  return draft;
}

export async function saveDraft(url: string, additions: Additions): Promise<void> {
  const isEmpty = additions.title === null && additions.tags === '' && additions.note === '';
  await (isEmpty
    ? chrome.storage.session.remove(PREFIX + url)
    : chrome.storage.session.set({ [PREFIX + url]: additions }));
}

/** Removes a draft whose text is saved, unless the user has changed it since. */
export async function removeSavedDraft(url: string, saved: Additions): Promise<void> {
  const draft = await readDraft(url);
  const isSame = draft?.title === saved.title && draft.tags === saved.tags && draft.note === saved.note;
  if (isSame) await saveDraft(url, NO_ADDITIONS);
}
