import { useEffect, useRef, useState } from 'preact/hooks';
import { onReconnect } from '../api/connection.js';
import { type Draft, keepDraft, readDraft } from './draft.js';
import { DraftChoice } from './draft-choice.js';

/** Milliseconds without a key press before a note is saved. Each save is an entry of the history. */
const PAUSE = 5_000;

interface Props {
  /** The memory. */
  id: string;
  note: string | null;
  /** Saves a note, unless it was changed from `base` by someone else. Resolves to whether it is saved. */
  onChange: (note: string | null, base: string | null) => Promise<boolean>;
}

/**
 * The user's own note. It is saved when they leave the field or the page, or pause for long. Until then the browser keeps what is
 * typed, also when the page is closed while the server is stopped.
 */
export function NoteField({ id, note, onChange }: Props) {
  const place = `recollect-note-${id}`;
  const stored = note ?? '';
  const [draft, setDraft] = useState(() => readDraft(localStorage, place));
  const saving = useRef<Promise<void>>(Promise.resolve());
  /** What is being sent, which is shown as the note before the server has confirmed it. */
  const sent = useRef<string | null>(null);
  const latest = useRef(draft);
  const isSaved = draft === null || draft.text.trim() === stored;
  const isOutdated = !isSaved && draft.base !== stored && sent.current !== stored;

  /** The values of the latest rendering and key press, for what was begun earlier. */
  const now = useRef({ draft, stored, isOutdated });
  now.current = { draft: latest.current, stored, isOutdated };

  const keep = (next: Draft | null) => {
    latest.current = next;
    now.current = { ...now.current, draft: next };
    setDraft(next);
    keepDraft(localStorage, place, next);
  };
  const save = () => {
    saving.current = saving.current.then(async () => {
      // What holds now: since this began to wait, the note may have been saved, changed by someone else, or discarded.
      const { draft: current, stored: present, isOutdated: needsAnswer } = now.current;
      if (current === null || needsAnswer) return;
      const text = current.text.trim();
      if (text === present) return;
      sent.current = text;
      if (await onChange(text || null, current.base || null)) {
        const typed = latest.current?.text ?? text;
        keep(typed === text ? null : { base: text, text: typed });
      }
      sent.current = null;
    });
  };
  const leave = () => {
    if (latest.current?.text.trim() !== stored) save();
    else if (sent.current === null) keep(null);
  };
  useEffect(() => {
    if (draft === null) return;
    const timer = setTimeout(save, PAUSE);
    return () => clearTimeout(timer);
  }, [draft]);
  // A note that could not be saved is saved once the server answers. Leaving the page saves too.
  const leaveLatest = useRef(leave);
  leaveLatest.current = leave;
  useEffect(() => {
    const onLeave = () => leaveLatest.current();
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
          value={draft?.text ?? stored}
          onInput={(event) => keep({ base: draft?.base ?? stored, text: event.currentTarget.value })}
          onBlur={leave}
        />
      </label>
      {isOutdated && (
        <DraftChoice stored={stored} onKeep={() => keep({ ...draft, base: stored })} onDiscard={() => keep(null)} />
      )}
    </div>
  );
}
