import { displayed, readTags, tagKey } from '@recollect/contract/text';
import type { ComponentChildren, Ref } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Chip } from './chip.js';
import { type KnownTag, rankTags } from './rank-tags.js';

export type { KnownTag } from './rank-tags.js';

/** Tags offered at a time, unless `maxOffered` says otherwise. */
const MAX_OFFERED = 8;

export interface TagFieldProps {
  label: string;
  /** Whether the label is shown above the field. */
  hasLabel?: boolean;
  /** The id of the input, if a label outside of the component names it. Then `label` is not used. */
  inputId?: string;
  placeholder?: string;
  /** Tags, separated by commas. The last one is being typed, and the others are chips. */
  value: string;
  onValue: (value: string) => void;
  /** The tags that it completes. */
  known: readonly KnownTag[];
  /** Tags that are not offered. */
  present?: readonly string[];
  maxOffered?: number;
  /** Says something about an offered tag. */
  describe?: (tag: string) => string;
  /** A mark before the label of a chip. */
  mark?: (tag: string) => ComponentChildren;
  /** Whether the offered tags float below the field while it has the focus. */
  isFloating?: boolean;
  isReadOnly?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  onFocus?: () => void;
}

/**
 * A field for several tags: each becomes a chip, and the typed letters find others. Its styles are in
 * `@recollect/ui/tag-field.css`.
 *
 * @example
 * <TagField label="Tags" value="tea, la" onValue={console.log} known={[{ tag: 'lamps' }]} />;
 */
export function TagField(props: TagFieldProps) {
  const { label, hasLabel = false, inputId, value, onValue, known, present = [], describe, mark } = props;
  const { isFloating = false, isReadOnly = false, inputRef = null, maxOffered = MAX_OFFERED } = props;
  const { placeholder = hasLabel ? '' : 'Add tags, separated by commas' } = props;
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  const fieldId = inputId ?? `${id}-field`;
  const { chosen, typed } = readTagField(value);
  const hidden = new Set([...chosen, ...present].map(tagKey));
  const isOffering = !isReadOnly && (!isFloating || isOpen);
  const offered = isOffering
    ? rankTags(typed.replace(/^#/, ''), known)
        .filter((tag) => !hidden.has(tagKey(tag)))
        .slice(0, maxOffered)
    : [];
  const change = (next: readonly string[], rest = '') => {
    if (isReadOnly) return;
    setActive(-1);
    onValue(`${next.map((tag) => `${tag}, `).join('')}${rest}`);
  };
  const remove = (tag: string) => {
    change(
      chosen.filter((other) => other !== tag),
      typed,
    );
    // The button is removed with its chip, and would lose the focus.
    root.current?.querySelector('input')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const tag = offered[active];
    const { key } = event;
    if (event.isComposing) return;
    if (key === 'ArrowDown' || key === 'ArrowUp') setOpen(true);
    if (key === 'ArrowDown') setActive(active + 1 < offered.length ? active + 1 : -1);
    else if (key === 'ArrowUp') setActive(active < 0 ? offered.length - 1 : active - 1);
    else if ((key === 'Enter' || (key === 'Tab' && !event.shiftKey)) && tag !== undefined) change([...chosen, tag]);
    else if (key === 'Backspace' && typed === '' && chosen.length > 0) change(chosen.slice(0, -1));
    else if (key === 'Escape' && isFloating && typed !== '' && offered.length > 0) {
      // The next press is for the window around the field.
      event.stopPropagation();
      setActive(-1);
      setOpen(false);
    } else return;
    event.preventDefault();
  };
  const input = (
    <input
      id={fieldId}
      ref={inputRef}
      class="field"
      role="combobox"
      placeholder={placeholder}
      autocomplete="off"
      aria-expanded={offered.length > 0}
      aria-autocomplete="list"
      aria-controls={id}
      aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
      value={typed}
      readOnly={isReadOnly}
      onInput={(event) => {
        setOpen(true);
        change(chosen, event.currentTarget.value);
      }}
      onKeyDown={onKeyDown}
      onFocus={() => {
        setOpen(true);
        props.onFocus?.();
      }}
      onBlur={() => setOpen(false)}
    />
  );
  return (
    <div ref={root} class={isFloating ? 'tag-field floating' : 'tag-field'}>
      {chosen.length > 0 && (
        <ul class="tag-chips" aria-label="Chosen tags">
          {chosen.map((tag) => (
            <li key={tag}>
              <Chip label={tag} mark={mark?.(tag)} onRemove={() => remove(tag)} />
            </li>
          ))}
        </ul>
      )}
      {inputId === undefined ? (
        <label class="form-field" for={fieldId}>
          <span class={hasLabel ? undefined : 'hidden'}>{label}</span>
          {input}
        </label>
      ) : (
        input
      )}
      <div id={id} role="listbox" aria-label="Tags" class="tag-offers" hidden={isFloating && offered.length === 0}>
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

/**
 * Reads the value of a field: its chips, and the tag that is being typed.
 *
 * @example
 * readTagField('tea, a//b, la'); // { chosen: ['tea', 'a/b'], typed: 'la' }
 */
export function readTagField(value: string): { chosen: string[]; typed: string } {
  const end = value.lastIndexOf(',') + 1;
  return { chosen: readTags(value.slice(0, end)), typed: value.slice(end).trimStart() };
}
