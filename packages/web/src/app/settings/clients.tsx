import type { CountsAnswer } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { useEffect, useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { onChanges } from '../api/events.js';
import { ask } from '../dialogs/ask.js';
import { describeActor } from '../reader/describe-actor.js';
import { formatOperator, type Operator } from '../search/operators.js';
import { undoChange } from '../state/changes.js';
import { searchAddress } from '../state/query.js';
import { announce, announceFailure } from '../state/status.js';
import { Section } from './section.js';
import { useRead } from './use-read.js';

/** Sites that are listed; the others can be typed. */
const SITES = 10;

/** Who saved what, and forgetting everything from one client or one site. */
export function Clients() {
  const { value, problem, reload } = useRead(() => client('countMemories', { query: {} }));
  useEffect(() => onChanges(() => void reload()), [reload]);
  const [site, setSite] = useState('');
  const forgetAll = async (operator: Operator, from: string) => {
    if (await forget(operator, from)) await reload();
  };
  return (
    <Section id="clients" title="Who saved what" problem={problem}>
      <p class="soft">Every memory records which program saved it. Each memory shows what was done to it since.</p>
      <ul aria-label="Clients" class="settings-list">
        {value?.clients.map((entry) => {
          const operator = operatorOf(entry);
          const who = describeActor({ ...entry, key: null });
          return (
            <li key={operator.value}>
              <a href={searchAddress(formatOperator(operator))}>{who}</a>
              <span class="soft">{count(entry.count, 'memory', 'memories')}</span>
              <Button onClick={() => void forgetAll(operator, who)} aria-label={`Forget everything from ${who}`}>
                Forget
              </Button>
            </li>
          );
        })}
      </ul>
      <h3>Sites</h3>
      <ul aria-label="Sites" class="settings-list">
        {value?.sites.slice(0, SITES).map((entry) => (
          <li key={entry.value}>
            <a href={searchAddress(formatOperator({ name: 'site', value: entry.value }))}>
              <bdi>{entry.value}</bdi>
            </a>
            <span class="soft">{count(entry.count, 'memory', 'memories')}</span>
            <Button
              onClick={() => void forgetAll({ name: 'site', value: entry.value }, entry.value)}
              aria-label={`Forget everything from ${entry.value}`}
            >
              Forget
            </Button>
          </li>
        ))}
      </ul>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          void forgetAll({ name: 'site', value: site.trim() }, site.trim()).then(() => setSite(''));
        }}
      >
        <input
          class="field"
          aria-label="Site to forget"
          placeholder="example.org"
          value={site}
          onInput={(event) => setSite(event.currentTarget.value)}
        />
        <Button type="submit" disabled={site.trim() === ''}>
          Forget everything from this site
        </Button>
      </form>
    </Section>
  );
}

function operatorOf({ client: kind, name }: CountsAnswer['clients'][number]): Operator {
  return { name: 'by', value: name === null ? kind : `${kind}:${name}` };
}

/** Shows what goes, and moves it to the trash once the user agrees. */
async function forget(operator: Operator, from: string): Promise<boolean> {
  const query = formatOperator(operator);
  try {
    const { matched } = await client('changeMemories', { body: { query, delete: true, dryRun: true } });
    if (matched === 0) {
      announce(`Nothing is saved from ${from}.`);
      return false;
    }
    const { results } = await client('query', { body: { query, limit: 5 } });
    const titles = results.map(({ title }) => `“${title.slice(0, 80)}”`).join(', ');
    const more = matched > results.length ? ` and ${count(matched - results.length, 'other', 'others')}` : '';
    const answer = await ask({
      title: `Forget everything from ${from}?`,
      text: `${count(matched, 'memory goes', 'memories go')} to the trash: ${titles}${more}.`,
      action: 'Move to the trash',
      isDangerous: true,
    });
    if (answer === null) return false;
    const { changed, changeId } = await client('changeMemories', { body: { query, delete: true } });
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
