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

/** Keeps a note in the browser, or forgets an empty one. False if the browser has no room for it. */
export function keepNoteDraft(draft: NoteDraft): boolean {
  try {
    if (Object.values(draft).every((field) => field === '')) localStorage.removeItem(PLACE);
    else localStorage.setItem(PLACE, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Calls back with a note that another window has kept. Returns a function that ends this. */
export function followNoteDraft(onKept: (draft: NoteDraft) => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === PLACE && newValue !== null) onKept(readNoteDraft());
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Forgets a saved note. Text that another window has typed since is another note. */
export function forgetNoteDraft(saved: NoteDraft): void {
  const kept = readNoteDraft();
  const isSame = (['title', 'text', 'tags'] as const).every((field) => kept[field] === saved[field]);
  if (isSame) localStorage.removeItem(PLACE);
}
