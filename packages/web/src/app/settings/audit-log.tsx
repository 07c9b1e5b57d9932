import type { AuditEntry, PersonOverview } from '@recollect/contract';
import { Age } from '@recollect/ui';
import { client } from '../api/client.js';
import { useResource } from '../state/use-resource.js';
import { Section } from './section.js';

/** What operators did, newest first. */
export function AuditLog({ people }: { people: readonly PersonOverview[] }) {
  const { value, problem } = useResource(() => client('auditLog', { query: {} }));
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? null;
  return (
    <Section heading={{ id: 'audit', title: 'What operators did' }} problem={problem}>
      <ul aria-label="What operators did" class="settings-list">
        {value?.entries.map((entry) => (
          <li key={entry.position}>
            <div>
              {describe(entry)} <bdi>{nameOf(entry.target ?? '') ?? entry.target}</bdi>
              <p class="soft">
                <bdi>{nameOf(entry.actorId) ?? entry.actorId}</bdi>, <Age instant={entry.at} style="long" />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The operations that are recorded, in words. The person or thing follows. */
const OPERATIONS: Readonly<Record<string, string>> = {
  invitePerson: 'Made a link for',
  changePerson: 'Changed',
  removePerson: 'Deleted',
  signPersonOut: 'Signed out',
  createBackup: 'Made a backup',
  restoreBackup: 'Restored the backup',
  chooseModel: 'Chose the model',
  install: 'Installed the plugin',
  uninstall: 'Uninstalled the plugin',
  enable: 'Enabled the plugin',
  disable: 'Disabled the plugin',
  configure: 'Configured the plugin',
};

function describe({ operation, details }: AuditEntry): string {
  const { state } = details;
  if (operation === 'changePerson' && state === 'suspended') return 'Suspended';
  if (operation === 'changePerson' && state === 'active') return 'Admitted';
  return OPERATIONS[operation] ?? operation;
}
