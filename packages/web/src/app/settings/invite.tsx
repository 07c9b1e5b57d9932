import type { Role } from '@recollect/contract';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { announceFailure } from '../state/status.js';

interface Props {
  onInvited: (name: string, link: string) => Promise<void>;
}

const MEGABYTE = 1_000_000;
const ROLES: readonly { role: Role; name: string }[] = [
  { role: 'member', name: 'Member: saves and reads their own memories' },
  { role: 'guest', name: 'Guest: reads only' },
  { role: 'owner', name: 'Owner: runs this deployment as you do' },
];

/** The form that invites a person, with their role and quota. */
export function Invite({ onInvited }: Props) {
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [memories, setMemories] = useState('');
  const [megabytes, setMegabytes] = useState('');
  const invite = async () => {
    const quota = { memories: numberOf(memories), bytes: numberOf(megabytes, MEGABYTE) };
    try {
      const body = { name: name.trim(), address: address.trim() || null, role, quota };
      const { link } = await client('invitePerson', { body });
      setName('');
      setAddress('');
      await onInvited(body.name, link);
    } catch (error) {
      announceFailure(explain(error));
    }
  };
  return (
    <form
      class="form"
      aria-label="Invite someone"
      onSubmit={(event) => {
        event.preventDefault();
        void invite();
      }}
    >
      <Field label="Name" value={name} onInput={setName} />
      <Field label="Email address, if they sign in with an account" value={address} onInput={setAddress} />
      <fieldset class="checks">
        <legend>Role</legend>
        {ROLES.map((choice) => (
          <label key={choice.role}>
            <input type="radio" name="role" checked={choice.role === role} onChange={() => setRole(choice.role)} />
            {choice.name}
          </label>
        ))}
      </fieldset>
      <Field label="Memories at most" isLimit value={memories} onInput={setMemories} />
      <Field label="Megabytes at most" isLimit value={megabytes} onInput={setMegabytes} />
      <div class="form-actions">
        <Button type="submit" variant="primary" disabled={name.trim() === ''}>
          Create a link
        </Button>
      </div>
    </form>
  );
}

interface FieldProps {
  label: string;
  value: string;
  /** Whether it is a limit, which is a whole number. */
  isLimit?: boolean;
  onInput: (value: string) => void;
}

function Field({ label, value, isLimit = false, onInput }: FieldProps) {
  return (
    <label class="form-field">
      <span>{label}</span>
      <input
        class="field"
        inputMode={isLimit ? 'numeric' : 'text'}
        pattern={isLimit ? '[0-9]{0,9}' : undefined}
        title={isLimit ? 'A whole number' : undefined}
        placeholder={isLimit ? 'No limit' : undefined}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

/** A typed limit; null if the field is empty. */
function numberOf(typed: string, unit = 1): number | null {
  return typed.trim() === '' ? null : Math.round(Number(typed) * unit);
}
