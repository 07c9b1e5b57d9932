import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { copyText } from '../state/copy-text.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { AuditLog } from './audit-log.js';
import { Invite } from './invite.js';
import { PersonRow } from './person-row.js';
import { Section } from './section.js';

/** The people of the deployment, for those who operate it: invitations, quotas, sign-out, deletion and the log. */
export function People() {
  const { value, problem, reload } = useResource(() => client('listPeople', {}));
  const [link, setLink] = useState<{ name: string; address: string } | null>(null);
  const [actions, setActions] = useState(0);
  const people = value?.people ?? [];
  const reloadAll = async () => {
    await reload();
    setActions((before) => before + 1);
  };
  const act = async (work: () => Promise<string>) => {
    try {
      announce(await work());
      await reloadAll();
    } catch (error) {
      announceFailure(explain(error));
    }
  };
  return (
    <>
      <Section problem={problem} isLoading={value === null}>
        <p class="soft">
          Each person has their own memories, which nobody else sees. The operator of the server has its disk and
          backups.
        </p>
        {link !== null && (
          <div class="new-key" role="alert">
            <p>
              Send this link to <bdi>{link.name}</bdi>. It works once, for seven days, and is not shown again.
            </p>
            <code>{link.address}</code>
            <div class="button-row">
              <Button icon="copy" onClick={() => void copyText(link.address, 'The link is copied.')}>
                Copy
              </Button>
              <Button onClick={() => setLink(null)}>Done</Button>
            </div>
          </div>
        )}
        <ul aria-label="People" class="settings-list">
          {people.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              act={act}
              onLink={(address) => setLink({ name: person.name, address })}
            />
          ))}
        </ul>
      </Section>
      <Section heading={{ id: 'invite', title: 'Invite someone' }}>
        <div class="settings-card">
          <Invite
            onInvited={async (name, address) => {
              setLink({ name, address });
              await reloadAll();
            }}
          />
        </div>
      </Section>
      {people.length > 1 && <AuditLog key={actions} people={people} />}
    </>
  );
}
