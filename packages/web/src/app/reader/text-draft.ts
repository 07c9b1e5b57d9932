/** A text that is not saved yet. */
export interface TextDraft {
  /** The stored text from which it was begun. */
  base: string;
  text: string;
}

const placeOf = (id: string) => `recollect-text-${id}`;

/** The draft of a memory's text that this tab keeps; null if there is none. */
export function readDraft(id: string): TextDraft | null {
  try {
    const { base, text } = JSON.parse(sessionStorage.getItem(placeOf(id)) ?? '{}') as Partial<TextDraft>;
    return base === undefined || text === undefined ? null : { base, text };
  } catch {
    return null;
  }
}

/** Keeps a draft, or forgets it. A text that is too large for the browser's storage is only on the page. */
export function keepDraft(id: string, draft: TextDraft | null): void {
  const place = placeOf(id);
  try {
    if (draft === null) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(draft));
  } catch {
    sessionStorage.removeItem(place);
  }
}
