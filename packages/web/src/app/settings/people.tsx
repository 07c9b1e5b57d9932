import type { PersonOverview } from '@recollect/contract';
import { count, formatBytes } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { ask } from '../dialogs/ask.js';
import { copyText } from '../state/copy-text.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { AuditLog } from './audit-log.js';
import { Invite } from './invite.js';
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
      <Section problem={problem}>
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
            <Row
              key={person.id}
              person={person}
              act={act}
              onLink={(address) => setLink({ name: person.name, address })}
            />
          ))}
        </ul>
      </Section>
      <Section heading={{ id: 'invite', title: 'Invite someone' }}>
        <Invite
          onInvited={async (name, address) => {
            setLink({ name, address });
            await reloadAll();
          }}
        />
      </Section>
      {people.length > 1 && <AuditLog key={actions} people={people} />}
    </>
  );
}

interface RowProps {
  person: PersonOverview;
  /** Runs an action, and announces its result. */
  act: (work: () => Promise<string>) => Promise<void>;
  onLink: (address: string) => void;
}

function Row({ person, act, onLink }: RowProps) {
  const { id, name, address, role, state, memories, bytes, lastSeenAt } = person;
  const parameters = { id };
  const isSuspended = state === 'suspended';
  const remove = async () => {
    const answer = await ask({
      title: `Delete ${name}?`,
      text: `${count(memories, 'memory', 'memories')} and everything else that is theirs are deleted permanently. This cannot be undone. Backups from before still have them.`,
      action: 'Delete permanently',
      isDangerous: true,
    });
    if (answer === null) return;
    await act(async () => {
      const receipt = await client('removePerson', { parameters });
      return `${name} is deleted, with ${count(receipt.memories, 'memory', 'memories')}, ${count(receipt.highlights, 'highlight', 'highlights')} and ${count(receipt.apiKeys, 'key', 'keys')}.`;
    });
  };
  return (
    <li>
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        {address}
        <p class="soft">
          {STATES[state]}
          {ROLES[role]}. {count(memories, 'memory', 'memories')}
          {ofLimit(person.quota.memories)}, {formatBytes(bytes)}
          {ofLimit(person.quota.bytes, formatBytes)}.{' '}
          {lastSeenAt !== null && (
            <>
              Last seen <Age instant={lastSeenAt} style="long" />.
            </>
          )}
        </p>
      </div>
      {id !== 'local' && (
        <div class="button-row">
          <Button
            aria-label={`New link for ${name}`}
            onClick={() =>
              void act(async () => {
                onLink((await client('invitePerson', { body: { personId: id } })).link);
                return 'There is a new link.';
              })
            }
          >
            New link
          </Button>
          {state !== 'invited' && (
            <>
              <Button
                aria-label={`Sign out ${name}`}
                onClick={() =>
                  void act(async () => {
                    const { sessions } = await client('signPersonOut', { parameters });
                    return `${count(sessions, 'session', 'sessions')} of ${name} ended.`;
                  })
                }
              >
                Sign out
              </Button>
              <Button
                aria-label={`${isSuspended ? 'Admit' : 'Suspend'} ${name}`}
                onClick={() =>
                  void act(async () => {
                    await client('changePerson', { parameters, body: { state: isSuspended ? 'active' : 'suspended' } });
                    return isSuspended ? `${name} has access again.` : `${name} has no access now.`;
                  })
                }
              >
                {isSuspended ? 'Admit' : 'Suspend'}
              </Button>
            </>
          )}
          <Button variant="danger" aria-label={`Delete ${name}`} onClick={() => void remove()}>
            Delete
          </Button>
        </div>
      )}
    </li>
  );
}

const ROLES = { owner: 'Runs this deployment', member: 'Member', guest: 'Guest, who reads' };
const STATES = { invited: 'Invited. ', active: '', suspended: 'Suspended. ', leaving: 'Being deleted. ' };

function ofLimit(limit: number | null, format: (limit: number) => string = String): string {
  return limit === null ? '' : ` of ${format(limit)}`;
}
