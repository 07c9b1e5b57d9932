import { describeRange, replaceWords } from '@recollect/contract/text';
import type { Found } from './use-search.js';

interface Props {
  query: string;
  found: Found;
  /** Searches for a text without taking any of its words for another. */
  onAsTyped: (text: string) => void;
  onSearch: (text: string) => void;
}

/** How the query was interpreted, where this differs from the typed text. Each part can be undone. */
export function Understood({ query, found, onAsTyped, onSearch }: Props) {
  if (!('results' in found)) return null;
  const { corrected, suggestion, interpreted, warnings = [] } = found;
  const meant = suggestion === undefined ? null : replaceWords(query, suggestion);
  return (
    <>
      {corrected !== undefined && (
        <p class="taken-as">
          Searching for <b>{corrected.to}</b> instead of {corrected.from}.{' '}
          <button type="button" class="link" onClick={() => onAsTyped(query)}>
            Search for {corrected.from}
          </button>
        </p>
      )}
      {meant !== null && (
        <p class="taken-as">
          Did you mean{' '}
          <button type="button" class="link" onClick={() => onSearch(meant)}>
            {meant}
          </button>
          ?
        </p>
      )}
      {interpreted !== undefined && (
        <p class="taken-as">
          Saved <b>{describeRange(interpreted)}</b>.{' '}
          <button
            type="button"
            class="link"
            // The correction stays.
            onClick={() => onAsTyped(corrected === undefined ? query : replaceWords(query, corrected))}
          >
            Search any time
          </button>
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} class="taken-as">
          {warning}
        </p>
      ))}
    </>
  );
}
