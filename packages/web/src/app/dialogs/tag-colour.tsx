import { signal } from '@preact/signals';
import { displayed } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { chooseColour, colourOf, tagColours } from '../state/tags.js';
import { Dialog } from './dialog.js';

const openTag = signal<string | null>(null);

/** Lets the user choose the colour of a tag. */
export function askForColour(tag: string): void {
  openTag.value = tag;
}

/** The dialog of {@link askForColour}. */
export function TagColourDialog() {
  const tag = openTag.value;
  if (tag === null) return null;
  const close = () => {
    openTag.value = null;
  };
  return (
    <Dialog title={`Colour of ${displayed(tag)}`} onClose={close}>
      <fieldset class="colours">
        <legend class="hidden">Colour</legend>
        {[null, ...tagColours].map((colour) => (
          <label key={colour}>
            <input
              type="radio"
              name="colour"
              checked={colourOf(tag) === colour}
              onChange={() => chooseColour(tag, colour)}
            />
            <span class={`tag-dot ${colour ?? ''}`} />
            {colour ?? 'none'}
          </label>
        ))}
      </fieldset>
      <p class="soft">Colours are kept in this browser.</p>
      <div class="form-actions">
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
