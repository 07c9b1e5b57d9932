import { useEffect, useRef, useState } from 'preact/hooks';
import { onReconnect } from '../api/connection.js';

/** Milliseconds without a key press before a note is saved. */
const PAUSE = 1_200;

interface Props {
  note: string | null;
  onChange: (note: string | null) => Promise<boolean>;
}

/** The user's own note. It is saved when they pause or leave the field, and what is typed stays if that fails. */
export function NoteField({ note, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const saving = useRef<Promise<boolean>>(Promise.resolve(true));
  const latest = useRef(typed);
  latest.current = typed;
  const shown = typed ?? note ?? '';

  const save = () => {
    const text = latest.current;
    if (text === null || text.trim() === (note ?? '')) return;
    saving.current = saving.current.then(async () => {
      const isSaved = await onChange(text.trim() === '' ? null : text.trim());
      if (isSaved && latest.current === text) setTyped(null);
      return isSaved;
    });
  };
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(save, PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  // A note that could not be saved is saved once the server answers. Leaving the page saves too.
  const saveLatest = useRef(save);
  saveLatest.current = save;
  useEffect(() => onReconnect(() => saveLatest.current()), []);
  useEffect(() => () => saveLatest.current(), []);

  return (
    <label class="reader-note">
      <span>Note</span>
      <textarea
        class="field"
        dir="auto"
        placeholder="Add a note of your own"
        value={shown}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={save}
      />
    </label>
  );
}
