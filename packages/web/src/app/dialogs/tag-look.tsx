import { limits } from '@recollect/contract/limits';
import { displayed } from '@recollect/contract/text';
import { tagColours } from '@recollect/contract/vocabulary';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { succeeds } from '../state/status.js';
import { changeLook, lookedTag, lookOf } from '../state/tags.js';
import { Dialog } from './dialog.js';

/** Lets the user choose the icon and the colour of a tag. */
export function TagLookDialog() {
  const tag = lookedTag.value;
  return tag === null ? null : <LookDialog key={tag} tag={tag} />;
}

function LookDialog({ tag }: { tag: string }) {
  const { icon, colour: chosen } = lookOf(tag);
  const [typed, setTyped] = useState(icon ?? '');
  const close = () => {
    lookedTag.value = null;
  };
  const submit = async () => {
    const next = typed.trim() || null;
    if (next === (icon ?? null) || (await succeeds(changeLook({ tag, icon: next })))) close();
  };
  return (
    <Dialog title={`Colour of ${displayed(tag)}`} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <fieldset class="colours">
          <legend class="hidden">Colour</legend>
          {[null, ...tagColours].map((colour) => (
            <label key={colour}>
              <input
                type="radio"
                name="colour"
                checked={(chosen ?? null) === colour}
                onChange={() => void succeeds(changeLook({ tag, colour }))}
              />
              <span class={`tag-dot ${colour ?? ''}`} />
              {colour ?? 'none'}
            </label>
          ))}
        </fieldset>
        <label class="form-field">
          <span>Icon, such as an emoji</span>
          <input
            class="field"
            autocomplete="off"
            maxLength={limits.tagLooks.iconLength}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <div class="form-actions">
          <Button type="submit" variant="primary">
            Done
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
