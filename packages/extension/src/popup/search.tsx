import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { age } from './age.js';
import type { Connection } from './connection.js';
import { markMatches } from './mark-matches.js';
import { SourceIcon } from './source-icon.js';
import { withTextFragment } from './text-fragment.js';
import { type Result, useSearch } from './use-search.js';

interface Given {
  connection: Connection;
  field: RefObject<HTMLInputElement | null>;
  /** Whether there is something to look for, so that the results have the window. */
  onActive: (isActive: boolean) => void;
}

/** Quick search: arrow keys choose, Enter opens. */
export function Search({ connection, field, onActive }: Given) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(-1);
  const { found, search } = useSearch(connection, query);
  const results = 'results' in found ? found.results : [];
  const isActive = query.trim() !== '';
  useEffect(() => onActive(isActive), [isActive, onActive]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setChosen((before) => Math.min(results.length - 1, Math.max(-1, before + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const result = results[chosen];
      if (result === undefined) void search();
      else open(result, query);
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
        class="search"
        aria-label="Find in your memory"
        placeholder="Find in your memory"
        autocomplete="off"
        spellcheck={false}
        value={query}
        aria-controls="results"
        aria-activedescendant={chosen >= 0 ? `result-${chosen}` : undefined}
        onInput={(event) => {
          setQuery((event.target as HTMLInputElement).value);
          setChosen(-1);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="results" class="results" role="listbox" aria-label="Found" hidden={!isActive || results.length === 0}>
        {results.map((result, index) => (
          <Hit
            key={result.id}
            id={`result-${index}`}
            result={result}
            query={query}
            isChosen={index === chosen}
            onOpen={(inBackground) => open(result, query, inBackground)}
          />
        ))}
      </div>
      {isActive && found.state === 'failed' && <p class="empty">{found.problem}</p>}
      {isActive && found.state === 'found' && results.length === 0 && <p class="empty">Nothing was found.</p>}
    </search>
  );
}

interface HitGiven {
  id: string;
  result: Result;
  query: string;
  isChosen: boolean;
  onOpen: (inBackground: boolean) => void;
}

function Hit({ id, result: { title, url, excerpt, sourceType, capturedAt }, query, isChosen, onOpen }: HitGiven) {
  const host = url !== null && URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : 'note';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field takes the keys, and names the chosen one.
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
        {host}
        {capturedAt !== null && ` · ${age(capturedAt)}`}
      </p>
      <p class="lines" dir="auto">
        {markMatches(excerpt, query).map(({ text, isMatch }, index) =>
          isMatch ? <mark key={index}>{text}</mark> : text,
        )}
      </p>
    </div>
  );
}

/** A note has no page to open. */
function open({ url, excerpt }: Result, query: string, inBackground = false): void {
  if (url === null || !/^https?:/.test(url)) return;
  void chrome.tabs.create({ url: withTextFragment(url, excerpt, query), active: !inBackground });
}
