import { useComputed, useSignal } from '@preact/signals';
import { limits } from '@recollect/contract/limits';
import { formatOperator, type Operator } from '@recollect/contract/query-syntax';
import { Button, Chip, Icon } from '@recollect/ui';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { items } from '../state/library.js';
import { query, searchAddress, setQuery } from '../state/query.js';
import { cursor, moveCursor } from '../state/selection.js';
import { tags } from '../state/tags.js';
import { allCounts, loadAllCounts } from './counts.js';
import { recentSearches, rememberSearch } from './recent-searches.js';
import { chips, followChips, searchable, takeInput, typed } from './search-state.js';
import { SuggestionList } from './suggestion-list.js';
import { complete, type Suggestion, suggest, suggestFirst } from './suggestions.js';

/** The field that every page can search from. */
export function SearchBox() {
  const { path, route } = useLocation();
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
    if (path === '/') setQuery(next, route);
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
        placeholder={chips.value.length === 0 ? 'Search by words or meaning' : ''}
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
