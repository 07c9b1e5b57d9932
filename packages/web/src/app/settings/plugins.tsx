import { Button } from '@recollect/ui';
import { client, explain } from '../api/client.js';
import { ask } from '../dialogs/ask.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import type { Act, Plugin } from './plugin-action.js';
import { PluginCard } from './plugin-card.js';
import { Section } from './section.js';

/** The installed plugins, and those that ship with Recollect. */
export function Plugins() {
  const { value, problem, reload } = useResource(() => client('listPlugins', {}));
  const { value: session } = useResource(() => client('sessionState', {}));
  // Until it is known who this is, everything is shown, as for the owner.
  const isOperator = session?.scopes?.includes('operate') ?? true;
  const act: Act = async (body, undo) => {
    try {
      const { message } = await client('pluginAction', { body });
      announce(message, undo === undefined ? undefined : async () => void (await act(undo)));
      await reload();
      return true;
    } catch (error) {
      announceFailure(explain(error));
      // Show the saved choice again.
      await reload();
      return false;
    }
  };
  const installed = value?.plugins.filter(({ state }) => state !== 'available') ?? [];
  const available = isOperator ? (value?.plugins.filter(({ state }) => state === 'available') ?? []) : [];
  return (
    <Section problem={problem}>
      {value !== null && installed.length === 0 && <p class="soft">No plugins yet.</p>}
      {installed.map((plugin) => (
        <PluginCard key={plugin.slug} plugin={plugin} act={act} isOperator={isOperator} />
      ))}
      {available.length > 0 && <h2>Shipped with Recollect</h2>}
      <ul aria-label="Available plugins" class="settings-list">
        {available.map((plugin) => (
          <li key={plugin.slug}>
            <div>
              <strong>{plugin.title}</strong>
              <p class="soft">{plugin.description}</p>
            </div>
            <Button onClick={() => void install(plugin, act)} aria-label={`Install ${plugin.title}`}>
              Install
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Installs a plugin. Installing runs its code, so the user sees its permissions. */
async function install({ slug, title, sha256, scopes, permissions }: Plugin, act: Act): Promise<void> {
  const required = permissions.map(({ permission }) => permission);
  const answer = await ask({
    title: `Install ${title}?`,
    text: `It may ${describeRights(scopes, required)}. Installing a plugin runs its code on this computer.`,
    action: 'Install',
  });
  if (answer === null) return;
  await act({ action: 'install', slug, sha256, allow: required }, { action: 'uninstall', slug });
}

const RIGHTS = {
  search: 'search your memories',
  read: 'read them',
  list: 'list them',
  tag: 'change their tags',
  save: 'save new ones',
  network: 'use the network',
} as const;

function describeRights(scopes: Plugin['scopes'], permissions: readonly 'network'[]): string {
  const rights = [...scopes, ...permissions].map((right) => RIGHTS[right]);
  return rights.length === 0 ? 'do nothing with your memories' : new Intl.ListFormat('en').format(rights);
}
