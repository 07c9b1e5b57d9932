import '../styles/tag-field.css';
import { displayed, readTags, tagKey } from '@recollect/contract/text';
import { Chip } from '@recollect/ui';
import type { Ref } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { tags } from '../state/tags.js';
import { rankTags } from './rank-tags.js';
import { TagMark } from './tag-mark.js';

/** Tags offered at a time. */
const MAX_OFFERED = 8;

interface Props {
  label: string;
  /** Whether the label is shown above the field. */
  hasLabel?: boolean;
  /** Tags, separated by commas. The last one is being typed, and the others are chips. */
  value: string;
  onValue: (value: string) => void;
  /** The tags that it completes. */
  known: NonNullable<typeof tags.value>;
  /** Tags that are not offered. */
  present?: readonly string[];
  /** Says something about an offered tag. */
  describe?: (tag: string) => string;
  /** Whether the offered tags float below the field while it has the focus. */
  isFloating?: boolean;
  isReadOnly?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}

/** A field for several tags: each becomes a chip, and the typed letters find others. */
export function TagField(props: Props) {
  const { label, hasLabel = false, value, onValue, known, present = [], describe, isFloating = false } = props;
  const { isReadOnly = false, inputRef = null } = props;
  const [active, setActive] = useState(-1);
  const [hasFocus, setFocus] = useState(false);
  const id = useId();
  const { chosen, typed } = readField(value);
  const hidden = new Set([...chosen, ...present].map(tagKey));
  const isOffering = !isReadOnly && (!isFloating || hasFocus);
  const offered = isOffering
    ? rankTags(typed, known)
        .filter((tag) => !hidden.has(tagKey(tag)))
        .slice(0, MAX_OFFERED)
    : [];
  const change = (next: readonly string[], rest = '') => {
    if (isReadOnly) return;
    setActive(-1);
    onValue(`${next.map((tag) => `${tag}, `).join('')}${rest}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const tag = offered[active];
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') setActive(active + 1 < offered.length ? active + 1 : -1);
    else if (event.key === 'ArrowUp') setActive(active < 0 ? offered.length - 1 : active - 1);
    else if (event.key === 'Enter' && tag !== undefined) change([...chosen, tag]);
    else if (event.key === 'Backspace' && typed === '' && chosen.length > 0) change(chosen.slice(0, -1));
    else return;
    event.preventDefault();
  };
  return (
    <div class={isFloating ? 'tag-field floating' : 'tag-field'}>
      {chosen.length > 0 && (
        <ul class="tag-chips" aria-label="Chosen tags">
          {chosen.map((tag) => (
            <li key={tag}>
              <Chip
                label={tag}
                mark={<TagMark tag={tag} isOptional />}
                onRemove={() =>
                  change(
                    chosen.filter((other) => other !== tag),
                    typed,
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
      <label class="form-field">
        <span class={hasLabel ? undefined : 'hidden'}>{label}</span>
        <input
          ref={inputRef}
          class="field"
          role="combobox"
          placeholder={hasLabel ? '' : 'Add tags, separated by commas'}
          autocomplete="off"
          aria-expanded={offered.length > 0}
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
          value={typed}
          readOnly={isReadOnly}
          onInput={(event) => change(chosen, event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
        />
      </label>
      <div
        id={id}
        role="listbox"
        aria-label="Tags"
        class={isFloating ? 'suggestions' : 'tag-offers'}
        hidden={isFloating && offered.length === 0}
      >
        {offered.map((tag, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys and names the chosen option.
          <div
            key={tag}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => change([...chosen, tag])}
          >
            <bdi>{displayed(tag)}</bdi>
            {describe !== undefined && describe(tag) !== '' && <span class="soft">{describe(tag)}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The chips of a field, and the tag that is being typed. */
function readField(value: string): { chosen: string[]; typed: string } {
  const end = value.lastIndexOf(',') + 1;
  return { chosen: readTags(value.slice(0, end)), typed: value.slice(end).trimStart() };
}
