import type { MemoryDetail } from '@recollect/contract';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { focusOnMount } from './focus-on-mount.js';
import { keepDraft, readDraft, type TextDraft } from './text-draft.js';

interface Props {
  memory: MemoryDetail;
  /** Resolves to whether it was saved. */
  onSave: (text: string) => Promise<boolean>;
  onCancel: () => void;
}

/** Edits the text of a note as Markdown. An unsaved text is kept in the browser. */
export function TextEditor({ memory, onSave, onCancel }: Props) {
  const [draft, setDraft] = useState(() => readDraft(memory.id));
  const text = draft?.text ?? memory.text;
  // Saving would replace a text that the user has not seen.
  const isOutdated = draft !== null && draft.base !== memory.text && draft.text !== memory.text;
  const keep = (next: TextDraft | null) => {
    setDraft(next);
    keepDraft(memory.id, next);
  };
  const change = (next: string) => keep(next === memory.text ? null : { base: draft?.base ?? memory.text, text: next });
  const cancel = () => {
    keepDraft(memory.id, null);
    onCancel();
  };
  const save = async () => {
    if (isOutdated || text.trim() === '') return;
    if (text === memory.text) cancel();
    else if (await onSave(text)) keepDraft(memory.id, null);
  };
  return (
    <form
      class="form text-editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {isOutdated && (
        <div class="problem" role="alert">
          <p>The stored text changed after you began this draft.</p>
          <Button onClick={() => keep({ base: memory.text, text })}>Keep my draft</Button>
          <Button onClick={() => keep(null)}>Use the stored text</Button>
          <details>
            <summary>Show the stored text</summary>
            <textarea class="field" aria-label="Stored text" dir="auto" readOnly value={memory.text} />
          </details>
        </div>
      )}
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
        <Button type="submit" variant="primary" disabled={isOutdated || text.trim() === ''}>
          Save text
        </Button>
      </div>
    </form>
  );
}
