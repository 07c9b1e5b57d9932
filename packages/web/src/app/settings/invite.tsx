import type { Role } from '@recollect/contract/vocabulary';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { announceFailure } from '../state/status.js';
import { Field, NO_LIMITS, QuotaFields, RoleChoice, toQuota } from './person-fields.js';

interface Props {
  onInvited: (name: string, link: string) => Promise<void>;
}

/** The form that invites a person, with their role and quota. */
export function Invite({ onInvited }: Props) {
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [limits, setLimits] = useState(NO_LIMITS);
  const invite = async () => {
    try {
      const body = { name: name.trim(), address: address.trim() || null, role, quota: toQuota(limits) };
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
      <RoleChoice role={role} onChange={setRole} />
      <QuotaFields limits={limits} onChange={setLimits} />
      <div class="form-actions">
        <Button type="submit" variant="primary" disabled={name.trim() === ''}>
          Create a link
        </Button>
      </div>
    </form>
  );
}
