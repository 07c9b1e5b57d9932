import type { ShareBody } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { createToken } from '../access/create-token.js';
import { RecollectError } from '../error.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { Share } from '../ports/index.js';
import { createId } from '../text/create-id.js';

/** A person with whom something can be shared. */
export interface Recipient {
  id: string;
  name: string;
}

/** Managing what a user shares (SHR-1). */
export interface Shares {
  /** What a user shares, and with whom they can share: all other active people. */
  list(userId: string): Promise<{ shares: Share[]; people: Recipient[] }>;
  /**
   * Shares a tag or a saved search with a person, or as a public page. Sharing the same again changes the permissions.
   * Throws VALIDATION_FAILED, and NOT_FOUND for an unknown search or person.
   */
  create(userId: string, body: ShareBody): Promise<Share>;
  /** Ends a share, and forgets what others added to it. Throws NOT_FOUND. */
  remove(userId: string, id: string): Promise<void>;
}

/**
 * Creates and ends shares. Nothing is copied: a share shows what the tag or the search has whenever someone looks.
 *
 * @example
 * const { id } = await core.shares.create('local', { tag: 'recipes', isPublic: true });
 * await core.shares.remove('local', id);
 */
export function createShares({ shares, users, clock }: Pick<CorePorts, 'shares' | 'users' | 'clock'>): Shares {
  return {
    async list(userId) {
      const [own, people] = await Promise.all([shares.list(userId), users.list()]);
      const others = people.filter(({ id, state }) => id !== userId && state === 'active');
      return { shares: own, people: others.map(({ id, name }) => ({ id, name })) };
    },

    async create(userId, body) {
      const { tag, searchId, personId, mayAdd, showsText } = readBody(body);
      if (personId === userId) throw invalid('/personId', 'must be another person');
      if (personId !== null && (await users.find(personId))?.state !== 'active')
        throw new RecollectError('NOT_FOUND', 'There is no active person with this id.');
      const now = clock.now();
      const token = personId === null ? createToken() : null;
      const share = { id: createId(now), createdAt: now.toISOString(), tag, searchId, personId, token };
      const saved = await shares.save(userId, { ...share, mayAdd, showsText }, limits.shares.kept);
      if (saved === 'unknown') throw new RecollectError('NOT_FOUND', 'There is no saved search with this id.');
      if (saved === 'full')
        throw invalid('/tag', `is one share too many: at most ${limits.shares.kept} are kept. End another one first`);
      return saved;
    },

    async remove(userId, id) {
      if (await shares.remove(userId, id)) return;
      throw new RecollectError('NOT_FOUND', 'There is no share with this id.');
    },
  };
}

/** Reads a request to share. Throws VALIDATION_FAILED for fields that contradict one another. */
function readBody({ tag, savedSearchId, personId, isPublic, mayAdd, showsText }: ShareBody) {
  const name = tag?.trim() || null;
  const searchId = savedSearchId ?? null;
  const person = personId ?? null;
  if ((name === null) === (searchId === null)) throw invalid('/tag', 'or savedSearchId must be given, and not both');
  if ((person === null) !== (isPublic === true))
    throw invalid('/personId', 'must be given unless isPublic is true, and not both');
  if (mayAdd === true && (name === null || person === null))
    throw invalid('/mayAdd', 'needs a tag and a person: only they can add memories');
  if (showsText === true && person !== null) throw invalid('/showsText', 'is for public pages only');
  return { tag: name, searchId, personId: person, mayAdd: mayAdd ?? false, showsText: showsText ?? false };
}

function invalid(pointer: string, message: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', `${pointer.slice(1)} ${message}.`, { errors: [{ pointer, message }] });
}
