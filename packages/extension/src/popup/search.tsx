import { shownResults } from '@recollect/contract/shown-results';
import { count, describeRange, replaceWords } from '@recollect/contract/text';
import { Age, Marked, SourceIcon } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import { Fragment, type RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Connection } from '../saving/connection.js';
import { withTextFragment } from './text-fragment.js';

import { type Found, type Result, useSearch } from './use-search.js';

interface Props {
  connection: Connection;
  field: RefObject<HTMLInputElement | null>;
  /** Reports whether there is a query, so that the results can take up the popup. */
  onActive: (isActive: boolean) => void;
}

/** Quick search: arrow keys choose, Enter opens. */
export function Search({ connection, field, onActive }: Props) {
  const [query, setQuery] = useState('');
  const [choice, setChoice] = useState({ list: '', place: -1 });
  const [asTyped, setAsTyped] = useState<string | null>(null);
  const { found, search } = useSearch(connection, query, asTyped === query);
  const { strong, weaker } = shownResults('results' in found ? found.results : []);
  const results = [...strong, ...weaker];
  const corrected = 'results' in found ? found.corrected : undefined;
  const isActive = query.trim() !== '';
  useEffect(() => onActive(isActive), [isActive, onActive]);
  // A position only applies to its own list. In another list it would select a different result.
  const list = results.map(({ id }) => id).join();
  const chosenIndex = choice.list === list ? choice.place : -1;

  // A note has no web page, so the web app shows it.
  const onOpen = ({ id, url, excerpt }: Result, inBackground = false) => {
    if (url !== null) open(withTextFragment(url, excerpt, query), inBackground);
    else if (connection.state === 'connected') open(`${connection.baseUrl}/memory/${id}`, inBackground);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // The keys of an input method, which choose among its candidates.
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setChoice({ list, place: Math.min(results.length - 1, Math.max(-1, chosenIndex + step)) });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const result = results[chosenIndex];
      if (result === undefined) void search();
      else onOpen(result, event.ctrlKey || event.metaKey);
    } else if (event.key === 'Escape' && query !== '') {
      event.preventDefault();
      setQuery('');
    }
  };

  return (
    <search>
      <input
        ref={field}
        type="search"
        class="field search"
        aria-label="Find in your memory"
        placeholder="Find in your memory"
        autocomplete="off"
        spellcheck={false}
        value={query}
        aria-controls="results"
        aria-activedescendant={chosenIndex >= 0 ? `result-${chosenIndex}` : undefined}
        onInput={(event) => {
          setQuery((event.target as HTMLInputElement).value);
          setChoice({ list: '', place: -1 });
        }}
        onKeyDown={onKeyDown}
      />
      {isActive && (
        <Understood
          query={query}
          found={found}
          onAsTyped={(text) => {
            setAsTyped(text);
            setQuery(text);
            field.current?.focus();
          }}
          onSearch={(text) => {
            setQuery(text);
            field.current?.focus();
          }}
        />
      )}
      <div id="results" class="results" role="listbox" aria-label="Found" hidden={!isActive || results.length === 0}>
        {results.map((result, index) => (
          <Fragment key={result.id}>
            {index === strong.length && (
              <p class="weaker" role="presentation">
                Weaker matches
              </p>
            )}
            <Hit
              id={`result-${index}`}
              result={result}
              query={corrected === undefined ? query : `${query} ${corrected.to}`}
              isChosen={index === chosenIndex}
              onOpen={(inBackground) => onOpen(result, inBackground)}
            />
          </Fragment>
        ))}
      </div>
      <p class={results.length > 0 ? 'hidden' : 'empty'} aria-live="polite" hidden={!isActive}>
        {outcome(found, results.length)}
      </p>
    </search>
  );
}

interface HitProps {
  id: string;
  result: Result;
  query: string;
  isChosen: boolean;
  onOpen: (inBackground: boolean) => void;
}

function Hit({ id, result: { title, url, excerpt, sourceType, capturedAt }, query, isChosen, onOpen }: HitProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys and names the selected option.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      class="hit"
      ref={(element) => {
        if (isChosen) element?.scrollIntoView({ block: 'nearest' });
      }}
      onClick={(event) => onOpen(event.ctrlKey || event.metaKey)}
    >
      <SourceIcon sourceType={sourceType} />
      <p class="title" dir="auto">
        {title}
      </p>
      <p class="facts">
        {siteOf(url ?? '') || 'note'}
        {' · '}
        <Age instant={capturedAt} locale="en" />
      </p>
      <p class="lines" dir="auto">
        <Marked text={excerpt} query={query} />
      </p>
    </div>
  );
}

function outcome(found: Found, shown: number): string {
  switch (found.state) {
    case 'failed':
      return found.problem;
    case 'found':
      return shown === 0 ? 'No matches.' : `${count(shown, 'memory', 'memories')} found.`;
    default:
      return 'Searching …';
  }
}

function open(url: string, inBackground: boolean): void {
  if (/^https?:/.test(url)) void chrome.tabs.create({ url, active: !inBackground });
}

interface UnderstoodProps {
  query: string;
  found: Found;
  /** Searches for a text without taking any of its words for another. */
  onAsTyped: (text: string) => void;
  onSearch: (text: string) => void;
}

/** How the query was interpreted, where this differs from the typed text. Each part can be undone. */
function Understood({ query, found, onAsTyped, onSearch }: UnderstoodProps) {
  if (!('results' in found)) return null;
  const { corrected, suggestion, interpreted, warnings = [] } = found;
  const meant = suggestion === undefined ? null : replaceWords(query, suggestion);
  return (
    <>
      {corrected !== undefined && (
        <p class="taken-as">
          Showing results for <b>{corrected.to}</b>.{' '}
          <button type="button" class="link" onClick={() => onAsTyped(query)}>
            Search for {corrected.from} instead
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
