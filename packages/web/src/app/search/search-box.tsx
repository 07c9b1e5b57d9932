import { effect, signal, useComputed, useSignal } from '@preact/signals';
import { limits } from '@recollect/contract/limits';
import {
  formatOperator,
  joinQuery,
  type Operator,
  splitQuery,
  unfinishedOperator,
  withOperator,
} from '@recollect/contract/query-syntax';
import { displayed } from '@recollect/contract/text';
import { Button, Chip, Icon } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { items } from '../state/library.js';
import { isListPage, query, searchAddress, setQuery } from '../state/query.js';
import { cursor, moveCursor } from '../state/selection.js';
import { tags } from '../state/tags.js';
import { allCounts, loadAllCounts } from './counts.js';
import { recentSearches, rememberSearch } from './recent-searches.js';
import { complete, type Suggestion, suggest, suggestFirst } from './suggestions.js';

/** The field that every page can search from. */
export function SearchBox({ children }: { children?: ComponentChildren }) {
  const { route } = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const choice = useSignal(-1);
  const isOpen = useSignal(false);
  const isEmpty = useComputed(() => typed.value === '' && chips.value.length === 0);
  const suggestions = useComputed(() => {
    if (!isOpen.value) return [];
    if (isEmpty.value) return suggestFirst(recentSearches.value);
    return suggest(typed.value, allCounts.value, tags.value);
  });
  useEffect(followChips, []);

  const search = (next: string) => {
    if (isListPage()) setQuery(next, route);
    else {
      query.value = next;
      route(searchAddress(next));
    }
  };
  const onInput = (text: string) => {
    // An erased field does not cover the list that is shown again.
    isOpen.value = text !== '';
    choice.value = -1;
    cursor.value = null;
    if (/\w:/.test(text)) void loadAllCounts();
    search(takeInput(text));
  };
  const accept = (suggestion: Suggestion) => {
    const text = complete(typed.value, suggestion);
    onInput(suggestion.isComplete ? `${text} ` : text);
    field.current?.focus();
  };
  const removeChip = (removed: Operator) => {
    chips.value = chips.value.filter((chip) => chip !== removed);
    search(searchable(chips.value, typed.value));
    field.current?.focus();
  };

  const clear = () => {
    chips.value = [];
    onInput('');
    isOpen.value = false;
    field.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // The keys of an input method choose and confirm the composed text.
    if (event.isComposing) return;
    const { length } = suggestions.value;
    const chosen = suggestions.value[choice.value];
    const last = chips.value.at(-1);
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        // From an empty field, the arrow down leads into the list, and the arrow up to the last search.
        if (isEmpty.value && choice.value < 0 && event.key === 'ArrowUp' && length > 0) choice.value = 0;
        else if (length > 0 && !(isEmpty.value && choice.value < 0))
          choice.value = nextChoice(choice.value, length, event.key === 'ArrowDown' ? 1 : -1);
        else if (event.key === 'ArrowDown' && (items.value?.length ?? 0) > 0) moveCursor(0);
        else return;
        break;
      case 'Tab':
        if (chosen === undefined) return;
        accept(chosen);
        break;
      case 'Enter':
        if (chosen !== undefined) accept(chosen);
        // An operator that was being typed is complete now.
        else onInput(`${typed.value.trimEnd()} `);
        isOpen.value = false;
        rememberSearch(query.peek());
        break;
      case 'Escape':
        if (length > 0 && !isEmpty.value) isOpen.value = false;
        else field.current?.blur();
        break;
      case 'Backspace':
        if (last === undefined || field.current?.selectionStart !== 0 || field.current.selectionEnd !== 0) return;
        removeChip(last);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <search class="search-box">
      <Icon name="search" />
      {chips.value.map((chip) => (
        <Chip key={formatOperator(chip)} label={formatOperator(chip)} onRemove={() => removeChip(chip)} />
      ))}
      <input
        ref={field}
        id="search"
        type="search"
        aria-label="Search"
        aria-autocomplete="list"
        aria-controls="search-suggestions"
        aria-activedescendant={choice.value >= 0 ? `suggestion-${choice.value}` : undefined}
        placeholder={chips.value.length === 0 ? 'Search, or paste a link to save it' : ''}
        autocomplete="off"
        spellcheck={false}
        maxLength={limits.query.length}
        enterkeyhint="search"
        value={typed.value}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onFocus={() => {
          isOpen.value = isEmpty.value;
        }}
        onBlur={() => {
          isOpen.value = false;
          rememberSearch(query.peek());
        }}
      />
      {(typed.value !== '' || chips.value.length > 0) && (
        <Button icon="close" variant="quiet" aria-label="Clear the search" onClick={clear} />
      )}
      {children}
      <SuggestionList suggestions={suggestions.value} chosen={choice.value} onAccept={accept} />
    </search>
  );
}

/** The suggestion after or before one; -1 is the field itself. */
function nextChoice(choice: number, length: number, step: 1 | -1): number {
  const next = choice + step;
  if (next >= length) return -1;
  return next < -1 ? length - 1 : next;
}

interface Props {
  suggestions: readonly Suggestion[];
  /** The position of the suggestion that the keys chose; -1 for none. */
  chosen: number;
  onAccept: (suggestion: Suggestion) => void;
}

/** Completions of the word that is being typed. */
function SuggestionList({ suggestions, chosen, onAccept }: Props) {
  return (
    <div
      id="search-suggestions"
      role="listbox"
      aria-label="Suggestions"
      class="suggestions"
      hidden={suggestions.length === 0}
    >
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys and names the chosen option.
        <div
          key={suggestion.text}
          id={`suggestion-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onAccept(suggestion)}
        >
          <span class="suggestion-label">
            {suggestion.isRecent === true && <Icon name="clock" />}
            <bdi>{displayed(suggestion.label)}</bdi>
          </span>
          {suggestion.count !== undefined && <span>{formatNumber(suggestion.count)}</span>}
        </div>
      ))}
    </div>
  );
}

/** The operators of the query, which are shown as chips. */
const chips = signal<readonly Operator[]>(splitQuery(query.peek()).operators);
/** The typed text besides the chips. */
const typed = signal(splitQuery(query.peek()).words);

/**
 * The query to search for while a text is being typed behind chips. It leaves out an operator that is still being
 * typed, which would find nothing until it is complete.
 */
function searchable(operators: readonly Operator[], text: string): string {
  return joinQuery(operators, text.slice(0, unfinishedOperator(text)?.start).trim());
}

/** Follows changes of the query that were not typed: by counts, the address, or Back. */
function followChips(): () => void {
  return effect(() => {
    const next = query.value;
    if (next === searchable(chips.peek(), typed.peek())) return;
    const { operators, words } = splitQuery(next);
    chips.value = operators;
    typed.value = words;
  });
}

/**
 * Takes the typed text. An operator becomes a chip as soon as it is complete: a space or a quotation mark follows it.
 */
function takeInput(text: string): string {
  const split = splitQuery(/[\s"]$/.test(text) ? text : '');
  if (split.operators.length > 0) {
    chips.value = split.operators.reduce(withOperator, [...chips.peek()]);
    typed.value = split.words === '' ? '' : `${split.words} `;
  } else typed.value = text;
  return searchable(chips.peek(), typed.peek());
}
