import type { Person } from '@recollect/contract';
import type { Role } from '@recollect/contract/vocabulary';

const MEGABYTE = 1_000_000;
const ROLES: readonly { role: Role; name: string }[] = [
  { role: 'member', name: 'Member: saves and reads their own memories' },
  { role: 'guest', name: 'Guest: reads only' },
  { role: 'owner', name: 'Owner: runs this deployment as you do' },
];

type Quota = Person['quota'];

/** The limits of a quota as typed; empty for no limit. */
export interface TypedQuota {
  memories: string;
  megabytes: string;
  captures: string;
}

export const NO_LIMITS: TypedQuota = { memories: '', megabytes: '', captures: '' };

/** Returns the typed form of a quota. */
export function toTyped({ memories, bytes, capturesPerMinute }: Quota): TypedQuota {
  const megabytes = bytes === null ? '' : `${Math.round(bytes / MEGABYTE)}`;
  return { memories: `${memories ?? ''}`, megabytes, captures: `${capturesPerMinute ?? ''}` };
}

/** Returns the quota that was typed. */
export function toQuota({ memories, megabytes, captures }: TypedQuota): Quota {
  return {
    memories: numberOf(memories),
    bytes: numberOf(megabytes, MEGABYTE),
    capturesPerMinute: numberOf(captures),
  };
}

/** The choice of a role. */
export function RoleChoice({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  return (
    <fieldset class="checks">
      <legend>Role</legend>
      {ROLES.map((choice) => (
        <label key={choice.role}>
          <input type="radio" name="role" checked={choice.role === role} onChange={() => onChange(choice.role)} />
          {choice.name}
        </label>
      ))}
    </fieldset>
  );
}

/** The fields of a quota. */
export function QuotaFields({ limits, onChange }: { limits: TypedQuota; onChange: (limits: TypedQuota) => void }) {
  const field = (label: string, name: keyof TypedQuota) => (
    <Field label={label} isLimit value={limits[name]} onInput={(value) => onChange({ ...limits, [name]: value })} />
  );
  return (
    <>
      {field('Memories at most', 'memories')}
      {field('Megabytes at most', 'megabytes')}
      {field('Captures a minute at most', 'captures')}
    </>
  );
}

interface FieldProps {
  label: string;
  value: string;
  /** Whether it is a limit, which is a whole number. */
  isLimit?: boolean;
  onInput: (value: string) => void;
}

/** A text field, or the field of a limit. */
export function Field({ label, value, isLimit = false, onInput }: FieldProps) {
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
