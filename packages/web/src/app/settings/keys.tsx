import type { ApiKey } from '@recollect/contract';
import type { Scope } from '@recollect/contract/vocabulary';
import { Age, Button } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { ask } from '../dialogs/ask.js';
import { copyText } from '../state/copy-text.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { describeScopes } from './key-scopes.js';
import { NewKey } from './new-key.js';
import { Section } from './section.js';

/** API keys for other programs and other machines. A key is shown once. */
export function Keys() {
  const { value, problem, reload } = useResource(() => client('listApiKeys', {}));
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
    <Section heading={{ id: 'keys', title: 'API keys' }} problem={problem}>
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
                May {describeScopes(key.scopes)}. Created <Age instant={key.createdAt} style="long" />,{' '}
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
      <NewKey onCreate={create} />
    </Section>
  );
}
