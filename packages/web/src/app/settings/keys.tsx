import type { ApiKey } from '@recollect/contract';
import { scopes as allScopes, type Scope } from '@recollect/contract/vocabulary';
import { Age, Button } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { ask } from '../dialogs/ask.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { Section } from './section.js';

const ORDINARY = allScopes.filter((scope) => scope !== 'admin');

/** API keys for other programs and other machines. A key is shown once. */
export function Keys() {
  const { value, problem, reload } = useResource(() => client('listApiKeys', {}));
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(ORDINARY);
  const [created, setCreated] = useState<string | null>(null);

  const create = async () => {
    try {
      const { key } = await client('createApiKey', { body: { name: name.trim() || null, scopes: [...chosen] } });
      setCreated(key);
      setName('');
      await reload();
    } catch (error) {
      announceFailure(explain(error));
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
    <Section id="keys" title="API keys" problem={problem}>
      <p class="soft">Programs on this computer need no key. Other devices and the extension in Firefox do.</p>
      {created !== null && (
        <div class="new-key" role="alert">
          <p>Copy the key now. It is not shown again.</p>
          <code>{created}</code>
          <Button icon="copy" onClick={() => void copy(created)}>
            Copy
          </Button>
          <Button onClick={() => setCreated(null)}>Done</Button>
        </div>
      )}
      <ul aria-label="API keys" class="settings-list">
        {value?.apiKeys.map((key) => (
          <li key={key.id}>
            <div>
              <strong>{key.name ?? 'Unnamed'}</strong> <code>{key.prefix}…</code>
              <p class="soft">
                {key.scopes.includes('admin') ? 'everything' : key.scopes.join(', ')}, created{' '}
                <Age instant={key.createdAt} />,{' '}
                {key.lastUsedAt === null ? (
                  'never used'
                ) : (
                  <>
                    last used <Age instant={key.lastUsedAt} />
                  </>
                )}
                {key.expiresAt !== null && `, expires ${longDate(key.expiresAt)}`}
              </p>
            </div>
            <Button variant="danger" onClick={() => void revoke(key)} aria-label={`Revoke ${key.name ?? key.prefix}`}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <label class="form-field">
          <span>Name of the new key</span>
          <input
            class="field"
            value={name}
            placeholder="Phone"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <fieldset class="checks">
          <legend>It may</legend>
          {allScopes.map((scope) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={() =>
                  setChosen(chosen.includes(scope) ? chosen.filter((other) => other !== scope) : [...chosen, scope])
                }
              />
              {scope}
            </label>
          ))}
        </fieldset>
        <div class="form-actions">
          <Button type="submit" icon="key" disabled={chosen.length === 0}>
            Create key
          </Button>
        </div>
      </form>
    </Section>
  );
}

async function copy(key: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(key);
    announce('The key is copied.');
  } catch {
    announceFailure('The browser did not allow copying. Select the key and copy it instead.');
  }
}
