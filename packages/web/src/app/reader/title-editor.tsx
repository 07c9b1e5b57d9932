import { displayed } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { focusOnMount } from './focus-on-mount.js';
import { useReturnFocus } from './use-return-focus.js';

interface Props {
  title: string;
  onChange: (title: string) => Promise<boolean>;
}

/** The title, edited in place. */
export function TitleEditor({ title, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const opener = useReturnFocus(typed !== null);
  if (typed === null)
    return (
      <header class="reader-title">
        <h1 dir="auto">{displayed(title)}</h1>
        <Button ref={opener} variant="quiet" icon="edit" aria-label="Edit title" onClick={() => setTyped(title)} />
      </header>
    );
  const save = async () => {
    const next = typed.trim();
    if (next === '' || next === title || (await onChange(next))) setTyped(null);
  };
  return (
    <header class="reader-title">
      {/* The heading stays, so that the page keeps its structure. */}
      <h1 class="hidden">{displayed(title)}</h1>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped(null);
        }}
      >
        <input
          class="field"
          aria-label="Title"
          dir="auto"
          value={typed}
          ref={focusOnMount}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="primary">
          Save
        </Button>
        <Button onClick={() => setTyped(null)}>Cancel</Button>
      </form>
    </header>
  );
}
