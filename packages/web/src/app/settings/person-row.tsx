import type { PersonOverview, PersonPatch } from '@recollect/contract';
import { count, formatBytes } from '@recollect/contract/text';
import type { Role } from '@recollect/contract/vocabulary';
import { Age, Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';
import { client } from '../api/client.js';
import { ask } from '../dialogs/ask.js';
import { downloadWithSession } from './download-with-session.js';
import { QuotaFields, RoleChoice, toQuota, toTyped } from './person-fields.js';

interface Props {
  person: PersonOverview;
  /** Runs an action, and announces its result. */
  act: (work: () => Promise<string>) => Promise<void>;
  onLink: (address: string) => void;
}

/** A person with what an operator can do. */
export function PersonRow({ person, act, onLink }: Props) {
  const [isEdited, setEdited] = useState(false);
  const { id, name, address, role, state, memories, bytes, lastSeenAt } = person;
  const parameters = { id };
  const isSuspended = state === 'suspended';
  const exportPath = `/api/v1/people/${encodeURIComponent(id)}/export`;
  const exportName = `recollect-${id}.jsonl`;
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
          <Button
            aria-label={`Change role and quota of ${name}`}
            aria-expanded={isEdited}
            onClick={() => setEdited(!isEdited)}
          >
            Role and quota
          </Button>
          <a
            class="button"
            aria-label={`Export the memories of ${name}`}
            href={addressOf(exportPath)}
            download
            onClick={(event) => void downloadWithSession(event, addressOf(exportPath), exportName)}
          >
            Export
          </a>
          <Button variant="danger" aria-label={`Delete ${name}`} onClick={() => void remove()}>
            Delete
          </Button>
        </div>
      )}
      {isEdited && (
        <EditPerson
          person={person}
          onSave={async (body) => {
            setEdited(false);
            await act(async () => {
              await client('changePerson', { parameters, body });
              return `${name} is changed.`;
            });
          }}
        />
      )}
    </li>
  );
}

interface EditProps {
  person: PersonOverview;
  onSave: (change: Pick<PersonPatch, 'role' | 'quota'>) => Promise<void>;
}

/** The form with the role and the quota of a person. */
function EditPerson({ person: { name, role: before, quota }, onSave }: EditProps) {
  const [role, setRole] = useState<Role>(before);
  const [limits, setLimits] = useState(toTyped(quota));
  return (
    <form
      class="form"
      aria-label={`Role and quota of ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void onSave({ role, quota: toQuota(limits) });
      }}
    >
      <RoleChoice role={role} onChange={setRole} />
      <QuotaFields limits={limits} onChange={setLimits} />
      <div class="form-actions">
        <Button type="submit" variant="primary">
          Save
        </Button>
      </div>
    </form>
  );
}

const ROLES = { owner: 'Runs this deployment', member: 'Member', guest: 'Guest, who reads' };
const STATES = { invited: 'Invited. ', active: '', suspended: 'Suspended. ', leaving: 'Being deleted. ' };

function ofLimit(limit: number | null, format: (limit: number) => string = String): string {
  return limit === null ? '' : ` of ${format(limit)}`;
}
