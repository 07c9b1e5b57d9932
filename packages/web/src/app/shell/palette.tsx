import type { QueryAnswer } from '@recollect/contract';
import { shownResults } from '@recollect/contract/shown-results';
import { displayed } from '@recollect/contract/text';
import { Icon, type IconName } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { client } from '../api/client.js';
import { Dialog } from '../dialogs/dialog.js';
import { memoryAddress } from '../state/query.js';
import { commands } from './commands.js';
import { isPaletteOpen } from './overlays.js';

/** Memories that are offered. */
const MEMORIES = 6;
/** Milliseconds without a key press before memories are searched. */
const PAUSE = 80;

interface Choice {
  id: string;
  icon: IconName;
  name: string;
  detail: string;
  run: () => void;
}

/** Finds pages, actions and memories by typing. */
export function Palette() {
  return isPaletteOpen.value ? <PaletteDialog /> : null;
}

function PaletteDialog() {
  const { route } = useLocation();
  const [typed, setTyped] = useState('');
  const [memories, setMemories] = useState<QueryAnswer['results']>([]);
  const [chosen, setChosen] = useState(0);
  const words = typed.trim();
  const lower = words.toLowerCase();

  useEffect(() => {
    // Drop results for the previous query.
    setMemories([]);
    if (words === '') return;
    const stopped = new AbortController();
    const timer = setTimeout(() => {
      client('query', { body: { query: words, limit: MEMORIES }, signal: stopped.signal }).then(
        ({ results }) => {
          const { strong, weaker } = shownResults(results);
          setMemories([...strong, ...weaker]);
        },
        () => {},
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [words]);

  const close = () => {
    isPaletteOpen.value = false;
  };
  const choices: Choice[] = [
    ...commands
      .filter(({ name }) => lower.split(/\s+/).every((word) => name.toLowerCase().includes(word)))
      .map(({ name, icon, keys = '', run }) => ({ id: name, icon, name, detail: keys, run: () => run(route) })),
    ...memories.map(({ id, title, url, match }) => ({
      id,
      icon: 'page' as const,
      name: title,
      detail: url === null ? '' : siteOf(url),
      run: () => route(memoryAddress(id, words, match.passage)),
    })),
  ];
  const current = Math.min(chosen, choices.length - 1);
  const run = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    close();
    // The dialog gives the focus back first.
    setTimeout(choice.run);
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
        aria-activedescendant={current >= 0 ? `choice-${current}` : undefined}
        placeholder="Find a page, an action or a memory"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            const step = event.key === 'ArrowDown' ? 1 : -1;
            setChosen((current + step + choices.length) % Math.max(1, choices.length));
          } else if (event.key === 'Enter') {
            event.preventDefault();
            run(choices[current]);
          }
        }}
      />
      <div id="palette-choices" role="listbox" aria-label="Commands" class="palette-choices">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys and names the chosen option.
          <div
            key={choice.id}
            id={`choice-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            ref={(element) => {
              if (index === current) element?.scrollIntoView({ block: 'nearest' });
            }}
            onClick={() => run(choice)}
          >
            <Icon name={choice.icon} />
            <span dir="auto">{displayed(choice.name)}</span>
            {choice.detail !== '' && <kbd>{choice.detail}</kbd>}
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class="soft">Nothing that fits.</p>}
    </Dialog>
  );
}
