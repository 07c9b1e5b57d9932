import type { MemoryDetail } from '@recollect/contract';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { type Draft, keepDraft, readDraft } from './draft.js';
import { DraftChoice } from './draft-choice.js';
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
  const [draft, setDraft] = useState(() => readDraft(sessionStorage, place));
  const text = draft?.text ?? memory.text;
  // Saving would replace a text that the user has not seen.
  const isOutdated = draft !== null && draft.base !== memory.text && draft.text !== memory.text;
  const keep = (next: Draft | null) => {
    setDraft(next);
    keepDraft(sessionStorage, place, next);
  };
  const change = (next: string) => keep(next === memory.text ? null : { base: draft?.base ?? memory.text, text: next });
  const cancel = () => {
    keepDraft(sessionStorage, place, null);
    onCancel();
  };
  const save = async () => {
    if (isOutdated || text.trim() === '') return;
    if (text === memory.text) cancel();
    else if (await onSave(text)) keepDraft(sessionStorage, place, null);
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
        <DraftChoice
          stored={memory.text}
          onKeep={() => keep({ base: memory.text, text })}
          onDiscard={() => keep(null)}
        />
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
