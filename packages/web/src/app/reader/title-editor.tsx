import { displayed } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { DraftChoice } from './draft-choice.js';
import { focusOnMount } from './focus-on-mount.js';
import { useDraft } from './use-draft.js';
import { useReturnFocus } from './use-return-focus.js';

/** Characters that take two lines at most on a wide screen. */
const LONG = 60;

interface Props {
  /** The memory. */
  id: string;
  title: string;
  /** Saves a title if the stored one is still `base`. Resolves to the stored title; null if it was not saved. */
  onSave: (title: string, base: string) => Promise<string | null>;
}

/** The title, edited in place. */
export function TitleEditor({ id, title, onSave }: Props) {
  const [isEditing, setEditing] = useState(false);
  const opener = useReturnFocus(isEditing);
  const draft = useDraft({
    storage: localStorage,
    place: `recollect-title-${id}`,
    stored: title,
    clean: (typed) => typed.trim() || title,
    send: onSave,
  });
  if (!isEditing)
    return (
      <header class="reader-title">
        <h1 dir="auto" data-long={title.length > LONG ? '' : undefined}>
          {displayed(title)}
        </h1>
        <Button ref={opener} variant="quiet" icon="edit" aria-label="Edit title" onClick={() => setEditing(true)} />
      </header>
    );
  const close = () => {
    draft.discard();
    setEditing(false);
  };
  return (
    <header class="reader-title">
      {/* The heading stays, so that the page keeps its structure. */}
      <h1 class="hidden">{displayed(title)}</h1>
      <form
        class="inline-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const field = event.currentTarget.elements.namedItem('title') as HTMLInputElement;
          if (draft.text.trim() === '') {
            field.setCustomValidity('A title cannot be blank.');
            field.reportValidity();
            return;
          }
          void draft.save().then((isSaved) => {
            if (isSaved) close();
          });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.isComposing) close();
        }}
      >
        <input
          class="field"
          aria-label="Title"
          dir="auto"
          value={draft.text}
          ref={focusOnMount}
          name="title"
          onInput={({ currentTarget }) => {
            currentTarget.setCustomValidity('');
            draft.type(currentTarget.value);
          }}
        />
        <Button type="submit" variant="primary" disabled={draft.isOutdated}>
          Save
        </Button>
        <Button onClick={close}>Cancel</Button>
        <DraftChoice draft={draft} stored={title} />
      </form>
    </header>
  );
}
