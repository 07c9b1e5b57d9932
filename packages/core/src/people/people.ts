import type { Role, UserState } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import { draftIndexing } from '../indexing/indexing-draft.js';
import { LOCAL_USER } from '../memory.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { Quota, RemovedRows, User, UserOverview } from '../ports/index.js';
import { createId } from '../text/create-id.js';

/** Memories per transaction: few enough that a capture waits for milliseconds only. */
const BATCH = 20;

export const NO_QUOTA: Quota = { memories: null, bytes: null, capturesPerMinute: null };

/** A person to add. A member without limits by default. */
export interface NewPerson {
  name: string;
  address?: string | null | undefined;
  role?: Role | undefined;
  quota?: { [Limit in keyof Quota]?: Quota[Limit] | undefined } | null | undefined;
  /** `active` by default. */
  state?: 'invited' | 'active' | undefined;
}

/** The fields of a person to change. Missing fields stay. */
export interface PersonChange {
  name?: string | undefined;
  role?: Role | undefined;
  state?: Extract<UserState, 'active' | 'suspended'> | undefined;
  quota?: { [Limit in keyof Quota]?: Quota[Limit] | undefined } | undefined;
}

/** Counts of everything that was deleted with a person. */
export interface Receipt extends RemovedRows {
  userId: string;
  name: string;
  /** ISO 8601 in UTC. */
  deletedAt: string;
  memories: number;
  highlights: number;
}

/** The people of a deployment (PPL-1, PPL-2). */
export interface People {
  /** Throws NAME_TAKEN if another person has the address. */
  create(person: NewPerson): Promise<User>;
  /** The first person first. */
  list(): Promise<UserOverview[]>;
  /** Throws NOT_FOUND. */
  get(id: string): Promise<User>;
  /** Throws NOT_FOUND. The role, state and quota of the local user do not change: this throws VALIDATION_FAILED. */
  change(id: string, change: PersonChange): Promise<User>;
  /**
   * Permanently deletes a person and everything that belongs to them. They cannot sign in from the start on. After an
   * interruption, a second call deletes the rest. Throws NOT_FOUND, and VALIDATION_FAILED for the local user.
   */
  remove(id: string): Promise<Receipt>;
  /** Whether there are people besides the local user. */
  hasOthers(): Promise<boolean>;
  /** Throws OWNER_ONLY unless a person operates the deployment. */
  requireOperator(id: string): Promise<void>;
}

type Ports = Pick<CorePorts, 'users' | 'memories' | 'inspector' | 'embeddingModel' | 'clock'>;

/**
 * Creates, changes and deletes people.
 *
 * @example
 * const { id } = await core.people.create({ name: 'Ann', quota: { memories: 10_000 } });
 * await core.people.change(id, { state: 'suspended' });
 * const { memories } = await core.people.remove(id);
 */
export function createPeople({ users, memories, inspector, embeddingModel, clock }: Ports): People {
  const get = async (id: string) => (await users.find(id)) ?? unknown();

  return {
    async create({ name, address, role = 'member', quota, state = 'active' }) {
      const now = clock.now();
      const user: User = {
        id: createId(now),
        name: cleanName(name),
        address: address?.trim() || null,
        role,
        state,
        quota: withLimits(NO_QUOTA, quota),
        createdAt: now.toISOString(),
      };
      if (await users.insert(user)) return user;
      throw new RecollectError('NAME_TAKEN', 'Another person has this address.');
    },

    list: () => users.list(),
    get,
    hasOthers: () => users.hasOthers(),

    async requireOperator(id) {
      if (id === LOCAL_USER || (await users.find(id))?.role === 'owner') return;
      throw new RecollectError('OWNER_ONLY', 'Only people who operate this deployment may change it for everyone.');
    },

    async change(id, { name, role, state, quota }) {
      const user = await get(id);
      if (id === LOCAL_USER && (role ?? state ?? quota) !== undefined) throw isLocalUser();
      if (user.state === 'leaving') throw new RecollectError('NOT_FOUND', 'This person is being deleted.');
      if (user.state === 'invited' && state !== undefined) throw hasNotAccepted();
      const change = {
        ...(name === undefined ? {} : { name: cleanName(name) }),
        ...(role === undefined ? {} : { role }),
        ...(state === undefined ? {} : { state }),
        ...(quota === undefined ? {} : { quota: withLimits(user.quota, quota) }),
      };
      return (await users.update(id, change)) ?? unknown();
    },

    async remove(id) {
      if (id === LOCAL_USER) throw isLocalUser();
      const { name } = await get(id);
      await users.update(id, { state: 'leaving' });
      const { highlights } = await inspector.counts(id);
      let deleted = 0;
      // A capture that was admitted before may still add a memory.
      for (;;) {
        deleted += await removeMemories(id);
        const rows = await users.remove(id);
        if (rows !== null)
          return { userId: id, name, deletedAt: clock.now().toISOString(), memories: deleted, highlights, ...rows };
        await get(id);
      }
    },
  };

  /** Moves all memories to the trash, which removes them from the indexes, and empties it. */
  async function removeMemories(userId: string): Promise<number> {
    const ids = await memories.matching(userId, {});
    for (let at = 0; at < ids.length; at += BATCH)
      await memories.changeAll(userId, ids.slice(at, at + BATCH), 'delete', {
        now: clock.now().toISOString(),
        indexing: draftIndexing({ embeddingModel, clock }, { isInline: false }),
        changeMark: { changeId: createId(clock.now()), actor: null },
      });
    let deleted = 0;
    let last: number;
    do {
      last = await memories.emptyTrash(userId, { limit: BATCH });
      deleted += last;
    } while (last === BATCH);
    return deleted;
  }
}

/** A quota with other limits. A missing one stays. */
function withLimits(quota: Quota, limits: NewPerson['quota']): Quota {
  const { memories = quota.memories, bytes = quota.bytes, capturesPerMinute = quota.capturesPerMinute } = limits ?? {};
  return { memories, bytes, capturesPerMinute };
}

/** A name on one line. Throws VALIDATION_FAILED if nothing is left. */
function cleanName(name: string): string {
  const cleaned = name.replace(/\p{Cc}+/gu, ' ').trim();
  if (cleaned !== '') return cleaned.slice(0, limits.people.nameLength);
  const errors = [{ pointer: '/name', message: 'must have at least one character that is not white space' }];
  throw new RecollectError('VALIDATION_FAILED', `name ${errors[0]?.message}.`, { errors });
}

function unknown(): never {
  throw new RecollectError('NOT_FOUND', 'There is no person with this id.');
}

function hasNotAccepted(): RecollectError {
  return new RecollectError(
    'VALIDATION_FAILED',
    'This person has not opened the invitation yet. Delete them to take the invitation back.',
  );
}

function isLocalUser(): RecollectError {
  return new RecollectError(
    'VALIDATION_FAILED',
    'The owner of this machine always has access. They have no quota, their role and state do not change, and they cannot be deleted.',
  );
}
