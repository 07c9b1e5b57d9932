import { displayed } from '@recollect/contract/text';
import { Icon } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import type { Suggestion } from './suggestions.js';

interface Props {
  suggestions: readonly Suggestion[];
  /** The position of the suggestion that the keys chose; -1 for none. */
  chosen: number;
  onAccept: (suggestion: Suggestion) => void;
}

/** Completions of the word that is being typed. */
export function SuggestionList({ suggestions, chosen, onAccept }: Props) {
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
