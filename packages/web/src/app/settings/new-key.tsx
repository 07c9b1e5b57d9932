import { scopes as allScopes, type Scope } from '@recollect/contract/vocabulary';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { hasSame, presets, scopeNames } from './key-scopes.js';

interface Props {
  /** Resolves to whether the key was created. */
  onCreate: (name: string | null, scopes: readonly Scope[]) => Promise<boolean>;
}

/** The form for a new API key: its name and its permissions. */
export function NewKey({ onCreate }: Props) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(presets[1]?.scopes ?? []);
  const [isFree, setFree] = useState(false);
  const create = async () => {
    if (await onCreate(name.trim() || null, chosen)) setName('');
  };
  return (
    <form
      class="form"
      aria-label="New API key"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <label class="form-field">
        <span>Name of the new key</span>
        <input class="field" value={name} placeholder="Phone" onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <fieldset class="checks">
        <legend>It may</legend>
        {presets.map((preset) => (
          <label key={preset.name}>
            <input
              type="radio"
              name="preset"
              checked={!isFree && hasSame(preset.scopes, chosen)}
              onChange={() => {
                setChosen(preset.scopes);
                setFree(false);
              }}
            />
            {preset.name}
          </label>
        ))}
        <label>
          <input type="radio" name="preset" checked={isFree} onChange={() => setFree(true)} />
          Choose scopes
        </label>
      </fieldset>
      {isFree && (
        <fieldset class="checks scopes">
          <legend>Scopes</legend>
          {allScopes.map((scope) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={() =>
                  setChosen(chosen.includes(scope) ? chosen.filter((other) => other !== scope) : [...chosen, scope])
                }
              />
              <span>
                <code>{scope}</code> <span class="soft">{scopeNames[scope]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <div class="form-actions">
        <Button type="submit" icon="key" disabled={chosen.length === 0}>
          Create key
        </Button>
      </div>
    </form>
  );
}
