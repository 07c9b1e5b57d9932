import { useEffect, useRef } from 'preact/hooks';
import { onReconnect } from '../api/connection.js';
import { DraftChoice } from './draft-choice.js';
import { useDraft } from './use-draft.js';

/** Milliseconds without a key press before a note is saved. Each save is an entry of the history. */
const PAUSE = 5_000;

interface Props {
  /** The memory. */
  id: string;
  note: string | null;
  /** Saves a note if the stored one is still `base`. Resolves to the stored note; undefined if it was not saved. */
  onSave: (note: string | null, base: string | null) => Promise<string | null | undefined>;
}

/**
 * The user's own note. It is saved when they leave the field or the page, or pause for long. Until then the browser
 * keeps the typed text, even if the page is closed while the server is stopped.
 */
export function NoteField({ id, note, onSave }: Props) {
  const stored = note ?? '';
  const draft = useDraft({
    storage: localStorage,
    place: `recollect-note-${id}`,
    stored,
    clean: (typed) => typed.trim(),
    send: async (text, base) => {
      const saved = await onSave(text || null, base || null);
      return saved === undefined ? null : (saved ?? '');
    },
  });
  const leave = async () => {
    // White space around it is not stored.
    if (await draft.save()) draft.discard();
  };
  useEffect(() => {
    if (draft.text.trim() === stored) return;
    const timer = setTimeout(() => void draft.save(), PAUSE);
    return () => clearTimeout(timer);
  }, [draft.text, draft.isOutdated]);
  // A note that could not be saved is saved as soon as the server responds. Leaving the page also saves.
  const latest = useRef(leave);
  latest.current = leave;
  useEffect(() => {
    const onLeave = () => void latest.current();
    const stop = onReconnect(onLeave);
    document.addEventListener('visibilitychange', onLeave);
    addEventListener('pagehide', onLeave);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', onLeave);
      removeEventListener('pagehide', onLeave);
      onLeave();
    };
  }, []);

  return (
    <div class="reader-note">
      <label>
        <span class="hidden">Note</span>
        <textarea
          class="field"
          dir="auto"
          rows={1}
          placeholder="Add a comment"
          value={draft.text}
          onInput={(event) => draft.type(event.currentTarget.value)}
          onBlur={() => void leave()}
        />
      </label>
      <DraftChoice draft={draft} stored={stored} />
    </div>
  );
}
