import type { Role } from '@recollect/contract';
import { RecollectError } from '../error.js';
import { LOCAL_USER } from '../memory.js';
import type { People } from '../people/people.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { StoredApiKey } from '../ports/index.js';
import { draftApiKey } from './api-keys.js';
import { holderOf, type KeyHolder } from './key-holder.js';

/** An account, as a provider of identities has vouched for it. */
export interface Identity {
  issuer: string;
  subject: string;
  name: string | null;
  /** The email address, if the provider has verified it. */
  address: string | null;
  /** The role that the provider gives. Null if it gives none. */
  role: Role | null;
  /** The session there. Null if the provider does not name it. */
  session: string | null;
}

/** People who sign in at a provider of identities (PPL-8). */
export interface Identities {
  /**
   * Finds the person of an account, by the account itself or, the first time, by its verified address. With `signsUp`,
   * an unknown one becomes a member. Throws SIGN_IN_REFUSED for unknown people, and for those without access.
   */
  signIn(identity: Identity, options: { provider: string; signsUp: boolean }): Promise<KeyHolder>;
}

type Ports = Pick<CorePorts, 'signIns' | 'users' | 'clock'>;

/** Finds people by their accounts at a provider. */
export function createIdentities({ signIns, users, clock }: Ports, people: People): Identities {
  const findPerson = async ({ address, name, role }: Identity, signsUp: boolean): Promise<string> => {
    const known = address === null ? null : await users.findByAddress(address);
    if (known !== null) return known.id;
    if (!signsUp)
      throw new RecollectError(
        'SIGN_IN_REFUSED',
        'Nobody here has this account. Ask for an invitation to its address.',
      );
    const person = await people.create({ name: name ?? address ?? 'New person', address, role: role ?? 'member' });
    return person.id;
  };

  const link = async (identity: Identity, provider: string, signsUp: boolean): Promise<StoredApiKey> => {
    const userId = await findPerson(identity, signsUp);
    const now = clock.now();
    const { stored, key } = draftApiKey(userId, { name: `Sign-in with ${provider}`, scopes: ['admin'] }, now);
    const { issuer, subject } = identity;
    const added = { userId, issuer, subject, apiKeyId: stored.id, createdAt: now.toISOString() };
    if (await signIns.link(added, stored, key)) return stored;
    // Another window has linked it.
    return (await signIns.findIdentity(issuer, subject)) ?? refuse();
  };

  return {
    async signIn(identity, { provider, signsUp }) {
      const stored =
        (await signIns.findIdentity(identity.issuer, identity.subject)) ?? (await link(identity, provider, signsUp));
      const { userId } = stored;
      if (identity.role !== null && userId !== LOCAL_USER) await users.update(userId, { role: identity.role });
      return (await holderOf(users, stored, clock.now())) ?? refuse();
    },
  };
}

function refuse(): never {
  throw new RecollectError('SIGN_IN_REFUSED', 'This person may not use the deployment now.');
}
