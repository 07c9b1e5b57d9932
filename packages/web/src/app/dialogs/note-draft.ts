const PLACE = 'recollect-note';

/** A new note that is not saved yet. */
export interface NoteDraft {
  title: string;
  text: string;
  tags: string;
}

export const emptyNote: NoteDraft = { title: '', text: '', tags: '' };

/** The note that the browser keeps until it is saved. */
export function readNoteDraft(): NoteDraft {
  try {
    return { ...emptyNote, ...(JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<NoteDraft>) };
  } catch {
    return emptyNote;
  }
}

/** Keeps a note in the browser, or forgets an empty one. */
export function keepNoteDraft(draft: NoteDraft): void {
  if (Object.values(draft).every((field) => field === '')) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, JSON.stringify(draft));
}

/** Forgets a note that is saved. What another window has typed meanwhile is another note. */
export function forgetNoteDraft(saved: NoteDraft): void {
  const kept = readNoteDraft();
  const isSame = (['title', 'text', 'tags'] as const).every((field) => kept[field] === saved[field]);
  if (isSame) localStorage.removeItem(PLACE);
}
