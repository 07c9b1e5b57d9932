import { useComputed, useSignal } from '@preact/signals';
import { Chip, Icon } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { items } from '../state/library.js';
import { query, searchAddress, setQuery } from '../state/query.js';
import { cursor } from '../state/selection.js';
import { allCounts, loadAllCounts } from './counts.js';
import { formatOperator, joinQuery, splitQuery } from './operators.js';
import { complete, type Suggestion, suggest } from './suggestions.js';

/** The field that every page can search from. It focuses with `/`. */
export function SearchBox() {
  const { path, route } = useLocation();
  const field = useRef<HTMLInputElement>(null);
  // What is typed besides the chips. The query would lose a space at its end, and a half-typed operator.
  const typed = useSignal(splitQuery(query.peek()).words);
  const operators = useComputed(() => splitQuery(query.value).operators);
  const choice = useSignal(-1);
  const isOpen = useSignal(false);
  const suggestions = useComputed(() => (isOpen.value ? suggest(typed.value, allCounts.value) : []));

  // The query also changes by chips, counts and the address.
  useEffect(
    () =>
      query.subscribe((next) => {
        const { words } = splitQuery(next);
        if (words !== splitQuery(typed.peek()).words) typed.value = words;
      }),
    [],
  );

  const search = (chips: ReturnType<typeof splitQuery>['operators'], words: string) => {
    const next = joinQuery(chips, words.trim());
    if (path === '/') setQuery(next);
    else {
      query.value = next;
      route(searchAddress(next));
    }
  };

  const onInput = (text: string) => {
    isOpen.value = true;
    choice.value = -1;
    cursor.value = -1;
    if (/\S:/.test(text)) void loadAllCounts();
    // An operator becomes a chip once a space follows it.
    const split = splitQuery(/\s$|"$/.test(text) ? text : '');
    if (split.operators.length > 0) {
      typed.value = split.words === '' ? '' : `${split.words} `;
      search([...operators.value, ...split.operators], split.words);
      return;
    }
    typed.value = text;
    search(operators.value, text);
  };

  const accept = (suggestion: Suggestion) => {
    const text = complete(typed.value, suggestion);
    if (suggestion.isComplete) onInput(`${text} `);
    else onInput(text);
    field.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { length } = suggestions.value;
    const isAtStart = field.current?.selectionStart === 0 && field.current.selectionEnd === 0;
    if (length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      choice.value =
        (choice.value + step + length + 1) % (length + 1) === length
          ? -1
          : (choice.value + step + length + 1) % (length + 1);
    } else if (event.key === 'ArrowDown' && (items.value?.length ?? 0) > 0) {
      event.preventDefault();
      cursor.value = 0;
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = suggestions.value[choice.value];
      if (chosen !== undefined) accept(chosen);
      else if (splitQuery(typed.value).operators.length > 0) onInput(`${typed.value} `);
      else isOpen.value = false;
    } else if (event.key === 'Tab' && choice.value >= 0) {
      event.preventDefault();
      const chosen = suggestions.value[choice.value];
      if (chosen !== undefined) accept(chosen);
    } else if (event.key === 'Escape') {
      if (suggestions.value.length > 0) isOpen.value = false;
      else if (typed.value !== '') onInput('');
      else field.current?.blur();
      event.preventDefault();
    } else if (event.key === 'Backspace' && isAtStart && operators.value.length > 0) {
      search(operators.value.slice(0, -1), typed.value);
    }
  };

  return (
    <search class="search-box">
      <Icon name="search" />
      {operators.value.map((operator) => (
        <Chip
          key={formatOperator(operator)}
          label={formatOperator(operator)}
          onRemove={() => {
            search(
              operators.value.filter((other) => other !== operator),
              typed.value,
            );
            field.current?.focus();
          }}
        />
      ))}
      <input
        ref={field}
        id="search"
        type="search"
        aria-label="Search"
        aria-autocomplete="list"
        aria-controls="search-suggestions"
        aria-activedescendant={choice.value >= 0 ? `suggestion-${choice.value}` : undefined}
        placeholder={operators.value.length === 0 ? 'Search by words or meaning' : ''}
        autocomplete="off"
        spellcheck={false}
        enterkeyhint="search"
        value={typed.value}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          isOpen.value = false;
        }}
      />
      <div
        id="search-suggestions"
        role="listbox"
        aria-label="Suggestions"
        class="suggestions"
        hidden={suggestions.value.length === 0}
      >
        {suggestions.value.map((suggestion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys and names the chosen option.
          <div
            key={suggestion.text}
            id={`suggestion-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === choice.value}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => accept(suggestion)}
          >
            <bdi>{suggestion.label}</bdi>
            {suggestion.count !== undefined && <span>{formatNumber(suggestion.count)}</span>}
          </div>
        ))}
      </div>
    </search>
  );
}
