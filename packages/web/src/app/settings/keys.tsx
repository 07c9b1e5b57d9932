import type { ApiKey } from '@recollect/contract';
import { scopes as allScopes, type Scope, scopes } from '@recollect/contract/vocabulary';
import { Age, Button } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { ask } from '../dialogs/ask.js';
import { copyText } from '../state/copy-text.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';

import { Section } from './section.js';

/**
 * API keys for other programs and other machines. A key is shown once.
 *
 * @param props.paired how many devices have got a key here, which the list then has
 */
export function Keys({ paired }: { paired: number }) {
  const { value, problem, reload } = useResource(() => client('listApiKeys', {}), { key: `${paired}` });
  const [created, setCreated] = useState<string | null>(null);

  const create = async (name: string | null, scopes: readonly Scope[]) => {
    try {
      const { key } = await client('createApiKey', { body: { name, scopes: [...scopes] } });
      setCreated(key);
      await reload();
      return true;
    } catch (error) {
      announceFailure(explain(error));
      return false;
    }
  };
  const revoke = async ({ id, name: label, prefix }: ApiKey) => {
    const answer = await ask({
      title: `Revoke ${label ?? prefix}?`,
      text: 'Programs that use this key are rejected from now on, and its sessions end. This cannot be undone.',
      action: 'Revoke',
      isDangerous: true,
    });
    if (answer === null) return;
    try {
      await client('revokeApiKey', { parameters: { id } });
      announce('The key is revoked.');
      await reload();
    } catch (error) {
      announceFailure(explain(error));
    }
  };

  return (
    <Section heading={{ id: 'keys', title: 'API keys' }} problem={problem} isLoading={value === null}>
      <p class="soft">Programs on this computer need no key. Other devices and the extension in Firefox do.</p>
      {created !== null && (
        <div class="new-key" role="alert">
          <p>Copy the key now. It is not shown again.</p>
          <code>{created}</code>
          <div class="button-row">
            <Button icon="copy" onClick={() => void copyText(created, 'The key is copied.')}>
              Copy
            </Button>
            <Button onClick={() => setCreated(null)}>Done</Button>
          </div>
        </div>
      )}
      <ul aria-label="API keys" class="settings-list">
        {value?.apiKeys.map((key) => (
          <li key={key.id}>
            <div>
              <strong>{key.name ?? 'Unnamed'}</strong> <code>{key.prefix}…</code>
              <p class="soft">
                Can {describeScopes(key.scopes)}. Created <Age instant={key.createdAt} style="long" />,{' '}
                {key.lastUsedAt === null ? (
                  'never used'
                ) : (
                  <>
                    last used <Age instant={key.lastUsedAt} style="long" />
                  </>
                )}
                {key.expiresAt !== null && `, expires ${longDate(key.expiresAt)}`}.
              </p>
            </div>
            <Button variant="danger" onClick={() => void revoke(key)} aria-label={`Revoke ${key.name ?? key.prefix}`}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <div class="settings-card">
        <NewKey onCreate={create} />
      </div>
    </Section>
  );
}

interface Props {
  /** Resolves to whether the key was created. */
  onCreate: (name: string | null, scopes: readonly Scope[]) => Promise<boolean>;
}

/** The form for a new API key: its name and its permissions. */
function NewKey({ onCreate }: Props) {
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
        <span>Key name</span>
        <input class="field" value={name} placeholder="Phone" onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <fieldset class="checks">
        <legend>Permissions</legend>
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

/** The permissions of a scope. */
const scopeNames: Readonly<Record<Scope, string>> = {
  'capture:write': 'save',
  'memory:read': 'search and read',
  'memory:write': 'change and delete',
  'index:run': 'create embeddings',
  'jobs:run': 'run plugin jobs',
  'jobs:manage': 'schedule plugin jobs',
  admin: 'everything, also create and revoke keys',
  operate: 'back up, monitor and set up this deployment',
};

/** The scopes that most keys need. */
const presets: readonly { name: string; scopes: readonly Scope[] }[] = [
  { name: 'Save only', scopes: ['capture:write'] },
  { name: 'Read and save', scopes: ['capture:write', 'memory:read'] },
  { name: 'Everything', scopes: ['admin'] },
];

/**
 * The permissions of a key, in words.
 *
 * @example
 * describeScopes(['capture:write', 'memory:read']); // 'read and save'
 */
export function describeScopes(given: readonly Scope[]): string {
  const preset = given.includes('admin') ? presets.at(-1) : presets.find((known) => hasSame(known.scopes, given));
  if (preset !== undefined) return preset.name.toLowerCase();
  return scopes.flatMap((scope) => (given.includes(scope) ? scopeNames[scope] : [])).join(', ');
}

/** Whether two lists of scopes are the same, in any order. */
function hasSame(one: readonly Scope[], other: readonly Scope[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope));
}
