import type { MemoryDetail } from '@recollect/contract';
import { Button } from '@recollect/ui';
import { useEffect, useState } from 'preact/hooks';
import { focusFirst } from '../shell/focus-first.js';

interface Props {
  memory: MemoryDetail;
  /** Resolves to whether it succeeded. */
  onSave: (text: string) => Promise<boolean>;
  onCancel: () => void;
}

/** Edits the text of a note as Markdown. An unsaved text is kept in the browser. */
export function TextEditor({ memory, onSave, onCancel }: Props) {
  const place = `recollect-text-${memory.id}`;
  const [text, setText] = useState(() => sessionStorage.getItem(place) ?? memory.text);
  useEffect(() => {
    if (text !== memory.text) sessionStorage.setItem(place, text);
  }, [text]);
  const end = () => sessionStorage.removeItem(place);
  const save = async () => {
    if (text === memory.text) onCancel();
    else if (!(await onSave(text))) return;
    end();
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
        ref={focusFirst}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        }}
      />
      <div class="form-actions">
        <Button
          onClick={() => {
            end();
            onCancel();
          }}
        >
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabled={text.trim() === ''}>
          Save text
        </Button>
      </div>
    </form>
  );
}
