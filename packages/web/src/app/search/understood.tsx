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
        <p class="head-chip">
          Showing results for <b>{corrected.to}</b>.{' '}
          <button type="button" class="link" onClick={() => takeAsTyped(query.value)}>
            Search for {corrected.from} instead
          </button>
        </p>
      )}
      {meant !== null && (
        <p class="head-chip">
          Did you mean <a href={searchAddress(meant)}>{meant}</a>?
        </p>
      )}
      {interpreted !== undefined && (
        <p class="head-chip">
          Saved <b>{describeRange(interpreted)}</b>.{' '}
          <button type="button" class="link" onClick={takeAnyTime}>
            Search any time
          </button>
        </p>
      )}
      {isSearchingCarefully.value && <p class="head-chip">Improving these results …</p>}
      {careful === true && <p class="head-chip">The ten best results were ranked again.</p>}
      {warnings.map((warning) => (
        <p key={warning} class="head-chip">
          {warning}
        </p>
      ))}
    </>
  );
}
