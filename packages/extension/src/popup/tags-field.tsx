import { readTags } from '@recollect/contract/text';
import { useEffect, useState } from 'preact/hooks';
import type { Connection } from '../saving/connection.js';

/** Milliseconds without a keystroke before tags are looked up. */
const DEBOUNCE_MS = 100;
const MAX_TAGS = 5;

interface Props {
  /** As typed, separated by commas. */
  tags: string;
  onTags: (tags: string) => void;
  connection: Connection;
}

/** The field for tags. Completes the tag that is being typed: arrow keys choose, Enter or Tab takes it. */
export function TagsField({ tags, onTags, connection }: Props) {
  const [isTyping, setTyping] = useState(false);
  const [offered, setOffered] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState(0);
  const typed = lastTag(tags);
  const client = connection.state === 'connected' ? connection.client : null;

  useEffect(() => {
    if (!isTyping || typed === '' || client === null) return setOffered([]);
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => {
      client('completeTags', { body: { prefix: typed, limit: MAX_TAGS }, signal }).then(
        ({ tags: found }) => {
          if (signal.aborted) return;
          const presentTags = [typed, ...readTags(tags.slice(0, tags.lastIndexOf(',') + 1))];
          setOffered(found.filter((tag) => !presentTags.includes(tag)));
          setChosen(0);
        },
        // Without suggestions, a tag is typed in full.
        () => {},
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isTyping, typed, tags, client]);

  const take = (tag: string) => {
    onTags(`${tags.slice(0, tags.length - lastPart(tags).length)}${tags.includes(',') ? ' ' : ''}${tag}, `);
    setOffered([]);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const tag = offered[chosen];
    if (tag === undefined || event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      setChosen((chosen + (event.key === 'ArrowDown' ? 1 : offered.length - 1)) % offered.length);
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) take(tag);
    else if (event.key === 'Escape') setOffered([]);
    else return;
    event.preventDefault();
  };

  return (
    <span class="tags">
      <input
        id="tags"
        class="field"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={offered.length > 0}
        aria-controls="tags-offered"
        aria-activedescendant={offered.length > 0 ? `tag-${chosen}` : undefined}
        value={tags}
        onInput={(event) => {
          setTyping(true);
          onTags(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setTyping(false)}
        placeholder="separated by commas"
        autocomplete="off"
      />
      <span id="tags-offered" class="offered" role="listbox" aria-label="Your tags" hidden={offered.length === 0}>
        {offered.map((tag, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys and names the chosen option.
          <span
            key={tag}
            id={`tag-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            // Before the field loses the focus, which would end the offer.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(tag)}
          >
            {tag}
          </span>
        ))}
      </span>
    </span>
  );
}

/** The text after the last comma. */
function lastPart(tags: string): string {
  return tags.slice(tags.lastIndexOf(',') + 1);
}

function lastTag(tags: string): string {
  return lastPart(tags).trim().replace(/^#/, '');
}
