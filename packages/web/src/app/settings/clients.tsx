import type { CountsAnswer } from '@recollect/contract';
import { formatOperator } from '@recollect/contract/query-syntax';
import { count, describeActor } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { ask } from '../dialogs/ask.js';
import { toEnd, undoChange } from '../state/changes.js';
import { searchAddress } from '../state/query.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { Section } from './section.js';

/** Sites that are listed; the others can be typed. */
const MAX_LISTED_SITES = 10;

/** Memories by the client that saved them, and forgetting everything from one client, one API key or one site. */
export function Clients() {
  const { value, problem, reload } = useResource(() => client('countMemories', { query: {} }), { changes: 'any' });
  const [site, setSite] = useState('');
  const forgetAll = async (origin: Origin) => {
    const isDone = await forget(origin);
    if (isDone) await reload();
    return isDone;
  };
  const clients = value?.clients.map((entry): Origin => {
    const name = describeActor({ ...entry, key: null });
    return { name, count: entry.count, operator: operatorOf(entry) };
  });
  const keys = value?.keys.map((key): Origin => {
    return { name: key.value, count: key.count, operator: { name: 'by', value: `key:${key.value}` } };
  });
  const sites = value?.sites.slice(0, MAX_LISTED_SITES).map((entry): Origin => {
    return { name: entry.value, count: entry.count, operator: { name: 'site', value: entry.value } };
  });
  return (
    <Section heading={{ id: 'clients', title: 'Sources' }} problem={problem} isLoading={value === null}>
      <p class="soft">Where your memories came from.</p>
      <Origins label="Clients" origins={clients} onForget={forgetAll} />
      {keys !== undefined && keys.length > 0 && <h3>API keys</h3>}
      <Origins label="Keys that saved" origins={keys} onForget={forgetAll} />
      <h3>Sites</h3>
      <Origins label="Sites" origins={sites} onForget={forgetAll} />
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          const name = site.trim();
          void forgetAll({ name, operator: { name: 'site', value: name } }).then((isDone) => {
            if (isDone) setSite('');
          });
        }}
      >
        <input
          class="field"
          aria-label="Site"
          placeholder="example.org"
          value={site}
          onInput={(event) => setSite(event.currentTarget.value)}
        />
        <Button type="submit" disabled={site.trim() === ''}>
          Delete all from this site…
        </Button>
      </form>
    </Section>
  );
}

/** Where memories come from, and the operator that selects them. */
interface Origin {
  name: string;
  operator: { name: 'by' | 'site'; value: string };
  count?: number;
}

interface OriginsProps {
  label: string;
  origins: readonly Origin[] | undefined;
  onForget: (origin: Origin) => Promise<unknown>;
}

function Origins({ label, origins = [], onForget }: OriginsProps) {
  if (origins.length === 0) return null;
  return (
    <ul aria-label={label} class="settings-list">
      {origins.map((origin) => (
        <li key={origin.operator.value}>
          <a href={searchAddress(formatOperator(origin.operator))}>
            <bdi>{origin.name}</bdi>
          </a>
          <span class="soft">{count(origin.count ?? 0, 'memory', 'memories')}</span>
          <Button onClick={() => void onForget(origin)} aria-label={`Delete all from ${origin.name}`}>
            Delete all…
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** An empty name selects unnamed clients of a kind that can have a name. */
function operatorOf({ client: kind, name }: CountsAnswer['clients'][number]): Origin['operator'] {
  const isNamed = kind === 'mcp' || kind === 'plugin';
  return { name: 'by', value: isNamed ? `${kind}:${name ?? ''}` : kind };
}

/** Shows the memories to delete, and moves them to the trash when the user agrees. */
async function forget({ operator, name: from }: Origin): Promise<boolean> {
  const filter = operator.name === 'by' ? { by: operator.value } : { site: operator.value };
  try {
    const { matched } = await toEnd(client('changeMemories', { body: { ...filter, delete: true, dryRun: true } }));
    if (matched === 0) {
      announce(`Nothing is saved from ${from}.`);
      return false;
    }
    const { memories } = await client('listMemories', { query: { ...filter, limit: 5 } });
    const titles = memories.map(({ title }) => `“${title.slice(0, 80)}”`).join(', ');
    const more = matched > memories.length ? ` and ${count(matched - memories.length, 'other', 'others')}` : '';
    const answer = await ask({
      title: `Delete all memories from ${from}?`,
      text: `${count(matched, 'memory goes', 'memories go')} to the trash: ${titles}${more}.`,
      action: 'Move to the trash',
      isDangerous: true,
    });
    if (answer === null) return false;
    const { changed, changeId } = await toEnd(client('changeMemories', { body: { ...filter, delete: true } }));
    announce(
      `${count(changed, 'memory', 'memories')} moved to the trash.`,
      changeId === null ? undefined : () => undoChange(changeId),
    );
    return true;
  } catch (error) {
    announceFailure(explain(error));
    return false;
  }
}
