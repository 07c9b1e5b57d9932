import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { ColourChoices } from '../dialogs/colour-choices.js';
import { nextColour } from '../state/highlight-colour.js';
import { focusOnMount } from './use-return-focus.js';

interface Props {
  range: Range;
  onHighlight: (note: string | null) => Promise<void>;
}

/** The actions for the selected text, shown at the selection. */
export function HighlightBar({ range, onHighlight }: Props) {
  const [note, setNote] = useState<string | null>(null);
  const box = range.getBoundingClientRect();
  const top = Math.max(8, window.scrollY + box.top - 52);
  return (
    <div
      class="highlight-bar"
      role="toolbar"
      aria-label="Selected text"
      style={{ insetBlockStart: `${top}px` }}
      // A click keeps the selection, but a field needs the focus.
      onPointerDown={(event) => {
        if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
      }}
    >
      {note === null ? (
        <>
          <Button icon="highlight" variant="primary" onClick={() => void onHighlight(null)}>
            Highlight
          </Button>
          <Button icon="note" onClick={() => setNote('')}>
            Highlight with note
          </Button>
          <ColourChoices
            chosen={nextColour.value}
            onChoose={(colour) => {
              nextColour.value = colour;
            }}
          />
        </>
      ) : (
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            void onHighlight(note.trim() || null);
          }}
        >
          <input
            class="field"
            aria-label="Note on the highlight"
            value={note}
            ref={focusOnMount}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
          <Button type="submit" variant="primary">
            Save
          </Button>
        </form>
      )}
    </div>
  );
}
