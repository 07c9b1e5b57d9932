import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { NewPerson, People } from '../people/people.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { StoredPasskey, User } from '../ports/index.js';
import { createId } from '../text/create-id.js';
import { draftApiKey } from './api-keys.js';
import { createToken, isToken } from './create-token.js';
import { holderOf, type KeyHolder } from './key-holder.js';

const DAY = 86_400_000;

/** What a browser's authenticator reports of a new passkey. */
export type NewPasskey = Pick<StoredPasskey, 'id' | 'publicKey' | 'counter'>;

/** Invitations of people, and the passkeys with which they sign in (PPL-4, PPL-5). */
export interface Invitations {
  /**
   * Invites a new person, or gives one who exists a new link, which replaces an earlier one. Only this answer contains
   * the token. Throws NAME_TAKEN if another person has the address, and NOT_FOUND.
   */
  invite(person: NewPerson | { personId: string }): Promise<{ token: string; expiresAt: string; person: User }>;
  /** Returns the person of an invitation. Throws INVITATION_INVALID if it is wrong, used or expired. */
  open(token: string): Promise<User>;
  /** Registers a passkey for an invitation, which is then used. Throws INVITATION_INVALID. */
  accept(token: string, passkey: NewPasskey, device: string): Promise<KeyHolder>;
  /** Null when unknown. */
  findPasskey(id: string): Promise<StoredPasskey | null>;
  /** Records a use of a passkey. Throws PASSKEY_REJECTED if its person may not use the deployment. */
  use(passkey: StoredPasskey, counter: number): Promise<KeyHolder>;
}

type Ports = Pick<CorePorts, 'signIns' | 'users' | 'clock'>;

/**
 * Invites people and keeps their passkeys. A passkey has an API key that nobody knows, so that its sessions are listed
 * and revoked like all others.
 *
 * @example
 * const { token } = await core.invitations.invite({ name: 'Ann', role: 'member' });
 * const { name } = await core.invitations.open(token);
 */
export function createInvitations({ signIns, users, clock }: Ports, people: People): Invitations {
  const open = async (token: string) => {
    const invitation = isToken(token) ? await signIns.findInvitation(token, clock.now().toISOString()) : null;
    const user = invitation && (await users.find(invitation.userId));
    if (user === null || user.state === 'suspended' || user.state === 'leaving') throw invalid();
    return user;
  };

  return {
    async invite(request) {
      const person =
        'personId' in request
          ? await people.get(request.personId)
          : await people.create({ ...request, state: 'invited' });
      if (person.state === 'leaving') throw new RecollectError('NOT_FOUND', 'This person is being deleted.');
      const now = clock.now();
      const token = createToken();
      const expiresAt = new Date(now.getTime() + limits.invitations.days * DAY).toISOString();
      await signIns.invite({ userId: person.id, id: createId(now), createdAt: now.toISOString(), expiresAt }, token);
      return { token, expiresAt, person };
    },

    open,

    async accept(token, passkey, device) {
      const user = await open(token);
      const now = clock.now();
      const { stored, key } = draftApiKey(
        user.id,
        { name: `Passkey, ${device.trim() || 'browser'}`, scopes: ['admin'] },
        now,
      );
      const added = { ...passkey, userId: user.id, apiKeyId: stored.id, createdAt: now.toISOString() };
      const isAccepted = await signIns.accept(token, now.toISOString(), added, stored, key);
      const holder = isAccepted ? await holderOf(users, stored, now) : null;
      if (holder === null) throw invalid();
      return holder;
    },

    async findPasskey(id) {
      return (await signIns.findPasskey(id))?.passkey ?? null;
    },

    async use({ userId, id }, counter) {
      const match = await signIns.findPasskey(id);
      const holder = match && (await holderOf(users, match.key, clock.now()));
      if (holder === null) throw new RecollectError('PASSKEY_REJECTED', 'This person may not use the deployment now.');
      await signIns.countUse(userId, id, counter);
      return holder;
    },
  };
}

/** One answer for all reasons: it tells a guesser nothing. */
function invalid(): RecollectError {
  return new RecollectError(
    'INVITATION_INVALID',
    'The invitation is wrong, used or expired. Ask the person who invited you for a new link.',
  );
}
