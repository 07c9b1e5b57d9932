import { describeRange, replaceWords } from '@recollect/contract/text';
import { useLocation } from 'preact-iso/router';
import { isSearchingCarefully, takeAsTyped, understood } from '../state/load-list.js';
import { query, searchAddress, setQuery } from '../state/query.js';

/** How the query was interpreted, where this differs from the typed text. Each part can be undone. */
export function Understood() {
  const { route } = useLocation();
  const { corrected, suggestion, interpreted, careful, warnings = [] } = understood.value;
  const takeAnyTime = () => {
    // The correction stays.
    const text = corrected === undefined ? query.value : replaceWords(query.value, corrected);
    takeAsTyped(text);
    if (text !== query.value) setQuery(text, route);
  };
  const meant = suggestion === undefined ? null : replaceWords(query.value, suggestion);
  return (
    <>
      {corrected !== undefined && (
        <p class="list-understood">
          Searching for <b>{corrected.to}</b> instead of {corrected.from}.{' '}
          <button type="button" class="link" onClick={() => takeAsTyped(query.value)}>
            Search for {corrected.from}
          </button>
        </p>
      )}
      {meant !== null && (
        <p class="list-understood">
          Did you mean <a href={searchAddress(meant)}>{meant}</a>?
        </p>
      )}
      {interpreted !== undefined && (
        <p class="list-understood">
          Saved <b>{describeRange(interpreted)}</b>.{' '}
          <button type="button" class="link" onClick={takeAnyTime}>
            Search any time
          </button>
        </p>
      )}
      {isSearchingCarefully.value && <p class="list-understood">Searching more carefully …</p>}
      {careful === true && <p class="list-understood">A second model has judged the ten best results.</p>}
      {warnings.map((warning) => (
        <p key={warning} class="list-understood">
          {warning}
        </p>
      ))}
    </>
  );
}
