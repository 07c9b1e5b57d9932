import { shownResults } from '@recollect/contract/shown-results';
import { displayed } from '@recollect/contract/text';
import { Icon, SourceIcon } from '@recollect/ui';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { client } from '../api/client.js';
import { Dialog } from '../dialogs/dialog.js';
import { Keys } from '../dialogs/keys.js';
import { namedLists } from '../state/saved-searches.js';
import { tagList, tags } from '../state/tags.js';
import { isPaletteOpen } from './overlays.js';
import { type Choice, choicesFor, type Offered } from './palette-choices.js';

/** Memories that are offered. */
const MAX_MEMORIES = 6;
/** Milliseconds without a key press before memories are searched. */
const DEBOUNCE_MS = 80;

/** Finds pages, actions, tags and memories by typing. */
export function Palette() {
  const { route } = useLocation();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const words = typed.trim();
  const groups = choicesFor({ words, memories: useMemories(words), tags: tags.value ?? [], lists: namedLists.value });
  const choices = groups.flatMap((group) => group.choices);
  // The choice stays when memories are found before it.
  const current = Math.max(
    0,
    choices.findIndex(({ id }) => id === chosen),
  );
  useEffect(() => {
    void tagList.load();
  }, []);

  const close = () => {
    isPaletteOpen.value = false;
  };
  const run = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    close();
    // The dialog gives the focus back first.
    setTimeout(() => choice.run(route));
  };

  return (
    <Dialog title="Command palette" hidesTitle onClose={close} class="palette">
      <input
        class="field"
        role="combobox"
        aria-label="Command"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls="palette-choices"
        aria-activedescendant={choices.length > 0 ? `choice-${current}` : undefined}
        placeholder="Find a page, an action or a memory"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(null);
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            const step = event.key === 'ArrowDown' ? 1 : -1;
            setChosen(choices.at((current + step) % choices.length)?.id ?? null);
          } else if (event.key === 'Enter') {
            event.preventDefault();
            run(choices[current]);
          }
        }}
      />
      <div id="palette-choices" role="listbox" aria-label="Commands" class="palette-choices">
        {groups.map(({ name, choices: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox.
          <div key={name} role="group" aria-label={name}>
            <p aria-hidden="true">{name}</p>
            {own.map((choice) => {
              const index = choices.indexOf(choice);
              return (
                <Option
                  key={choice.id}
                  id={`choice-${index}`}
                  choice={choice}
                  isCurrent={index === current}
                  onRun={() => run(choice)}
                />
              );
            })}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

interface OptionProps {
  id: string;
  choice: Choice;
  isCurrent: boolean;
  onRun: () => void;
}

function Option({ id, choice: { icon, name, detail, keys }, isCurrent, onRun }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys and names the chosen option.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      ref={(element) => {
        if (isCurrent) element?.scrollIntoView({ block: 'nearest' });
      }}
      onClick={onRun}
    >
      {typeof icon === 'string' ? <Icon name={icon} /> : <SourceIcon sourceType={icon.sourceType} />}
      <span dir="auto">{displayed(name)}</span>
      {detail !== undefined && <bdi class="soft">{displayed(detail)}</bdi>}
      {keys !== undefined && <Keys keys={keys} />}
    </div>
  );
}

/** The memories that match; the newest ones while nothing is typed. */
function useMemories(words: string): readonly Offered[] {
  const [matches, setFound] = useState<readonly Offered[]>([]);
  useEffect(() => {
    // Drop results for the previous query.
    setFound([]);
    const stopped = new AbortController();
    const timer = setTimeout(
      () => {
        void read(words, stopped.signal).then(setFound, () => {});
      },
      words === '' ? 0 : DEBOUNCE_MS,
    );
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [words]);
  return matches;
}

async function read(words: string, signal: AbortSignal): Promise<readonly Offered[]> {
  if (words === '') return (await client('listMemories', { query: { limit: MAX_MEMORIES }, signal })).memories;
  const { results } = await client('query', { body: { query: words, limit: MAX_MEMORIES }, signal });
  const { strong, weaker } = shownResults(results);
  return [...strong, ...weaker].map(({ match, ...memory }) => ({ ...memory, passage: match.passage }));
}
