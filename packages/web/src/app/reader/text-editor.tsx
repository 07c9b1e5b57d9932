import type { MemoryDetail } from '@recollect/contract';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { focusOnMount } from './focus-on-mount.js';

interface Props {
  memory: MemoryDetail;
  /** Resolves to whether it was saved. */
  onSave: (text: string) => Promise<boolean>;
  onCancel: () => void;
}

/** Edits the text of a note as Markdown. An unsaved text is kept in the browser. */
export function TextEditor({ memory, onSave, onCancel }: Props) {
  const place = `recollect-text-${memory.id}`;
  const [text, setText] = useState(() => sessionStorage.getItem(place) ?? memory.text);
  const change = (next: string) => {
    setText(next);
    keepDraft(place, next === memory.text ? null : next);
  };
  const end = () => sessionStorage.removeItem(place);
  const cancel = () => {
    end();
    onCancel();
  };
  const save = async () => {
    if (text === memory.text) cancel();
    else if (await onSave(text)) end();
  };
  return (
    <form
      class="form text-editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        class="field"
        aria-label="Text"
        dir="auto"
        value={text}
        ref={focusOnMount}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        }}
      />
      <div class="form-actions">
        <Button onClick={cancel}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={text.trim() === ''}>
          Save text
        </Button>
      </div>
    </form>
  );
}

/** Keeps a text that is not saved yet, or forgets it. A text that is too large for the browser's storage is only on the page. */
function keepDraft(place: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, text);
  } catch {
    sessionStorage.removeItem(place);
  }
}
