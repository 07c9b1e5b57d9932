import { type HighlightColour, highlightColours } from '@recollect/contract/vocabulary';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { focusOnMount } from './use-return-focus.js';

interface Props {
  range: Range;
  onHighlight: (note: string | null, colour: HighlightColour) => Promise<void>;
}

/** The actions for the selected text, shown at the selection. */
export function HighlightBar({ range, onHighlight }: Props) {
  const [note, setNote] = useState<string | null>(null);
  const [colour, setColour] = useState<HighlightColour>('yellow');
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
          <Button icon="highlight" variant="primary" onClick={() => void onHighlight(null, colour)}>
            Highlight
          </Button>
          <Button icon="note" onClick={() => setNote('')}>
            Highlight with note
          </Button>
          <fieldset class="highlight-colours" aria-label="Colour">
            {highlightColours.map((one) => (
              <button
                type="button"
                key={one}
                class={`colour-choice ${one}`}
                aria-label={`${one[0]?.toUpperCase()}${one.slice(1)}`}
                aria-pressed={one === colour}
                onClick={() => setColour(one)}
              />
            ))}
          </fieldset>
        </>
      ) : (
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            void onHighlight(note.trim() || null, colour);
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
