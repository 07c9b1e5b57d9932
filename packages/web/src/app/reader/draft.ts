/** A text that is not saved yet. */
export interface Draft {
  /** The stored text from which it was begun. */
  base: string;
  text: string;
}

/** The draft that the browser keeps at a place; null if there is none. */
export function readDraft(storage: Storage, place: string): Draft | null {
  try {
    const { base, text } = JSON.parse(storage.getItem(place) ?? '{}') as Partial<Draft>;
    return base === undefined || text === undefined ? null : { base, text };
  } catch {
    return null;
  }
}

/** Keeps a draft, or forgets it. A text that is too large for the browser's storage is only on the page. */
export function keepDraft(storage: Storage, place: string, draft: Draft | null): void {
  try {
    if (draft === null) storage.removeItem(place);
    else storage.setItem(place, JSON.stringify(draft));
  } catch {
    storage.removeItem(place);
  }
}
