import { useSignal } from '@preact/signals';
import type { MemoryDetail } from '@recollect/contract';
import { useRef, useState } from 'preact/hooks';

/** A text that is not saved yet. */
interface Draft {
  /** The version of the stored text from which it was begun. */
  base: string;
  text: string;
}

interface Options {
  /** Where the browser keeps the draft, also when the page is closed. */
  storage: Storage;
  place: string;
  stored: string;
  /** The version of the stored text: every text has another one. */
  version?: string;
  /** Normalises a typed text for storage. */
  clean?: (typed: string) => string;
  /**
   * Saves a text unless the stored one is no longer of the version `base`. Resolves to the new version; null if it is
   * not saved.
   */
  send: (text: string, base: string) => Promise<string | null>;
}

/** A field whose text is saved on request. */
export interface DraftField {
  /** The typed text, or else the stored text. */
  text: string;
  /**
   * Whether someone else changed the stored text after the draft was begun. Nothing is saved until the user chose one.
   */
  isOutdated: boolean;
  type: (text: string) => void;
  /** Resolves to whether the typed text is stored. */
  save: () => Promise<boolean>;
  /** Keeps the draft instead of the stored text. */
  keep: () => void;
  /** Goes back to the stored text. */
  discard: () => void;
}

/**
 * A draft that cannot replace text that the user has not seen: it carries the version that it was begun from, which
 * only the user's answer or an own save changes,
 * and the server refuses it if the stored text has another version by then.
 */
export function useDraft(given: Options): DraftField {
  const options = useRef(given);
  // Pending work, such as a timer, uses the latest options.
  options.current = given;
  const [first] = useState(() => readDraft(given));
  const draft = useSignal(first);
  const isSending = useSignal(false);
  const saving = useRef<Promise<unknown>>(Promise.resolve());

  const set = (next: Draft | null) => {
    const before = draft.peek();
    draft.value = next;
    if (next !== null) keepDraft(options.current, next);
    else if (before !== null) forgetDraft(options.current, before);
  };
  const state = () => {
    const { stored, version = stored, clean = same } = options.current;
    const now = draft.peek();
    const isStored = now === null || clean(now.text) === stored;
    // While it is sent, the stored text may be this draft already.
    return { now, version, isStored, isOutdated: !isStored && !isSending.peek() && now.base !== version };
  };
  const send = async () => {
    const { now, isStored, isOutdated } = state();
    if (now === null || isStored) return true;
    if (isOutdated) return false;
    const { clean = same } = options.current;
    const text = clean(now.text);
    isSending.value = true;
    const version = await options.current.send(text, now.base);
    // The user may have typed more.
    const typed = draft.peek()?.text ?? text;
    if (version !== null) set(typed === text ? null : { base: version, text: typed });
    isSending.value = false;
    return version !== null && clean(typed) === text;
  };

  return {
    text: draft.value?.text ?? given.stored,
    isOutdated: !isSending.value && state().isOutdated,
    type: (text) => {
      const { now, version, isStored } = state();
      set({ base: now === null || isStored ? version : now.base, text });
    },
    save: () => {
      const result = saving.current.then(send);
      saving.current = result;
      return result;
    },
    keep: () => {
      const { now, version } = state();
      if (now !== null) set({ ...now, base: version });
    },
    discard: () => set(null),
  };
}

const same = (text: string) => text;

function readDraft({ storage, place }: Options): Draft | null {
  try {
    const { base, text } = JSON.parse(storage.getItem(place) ?? '{}') as Partial<Draft>;
    return base === undefined || text === undefined ? null : { base, text };
  } catch {
    return null;
  }
}

/** A text that is too large for the browser's storage is only on the page. */
function keepDraft({ storage, place }: Options, draft: Draft): void {
  try {
    storage.setItem(place, JSON.stringify(draft));
  } catch {
    storage.removeItem(place);
  }
}

/** Text that another window has typed since stays. */
function forgetDraft({ storage, place }: Options, draft: Draft): void {
  if (storage.getItem(place) === JSON.stringify(draft)) storage.removeItem(place);
}

/** Whether a memory is of the user's own texts, which they edit where they read them. */
export function isOwnText({ sourceType }: Pick<MemoryDetail, 'sourceType'>): boolean {
  return sourceType === 'note' || sourceType === 'file';
}
