import type { SharedCollection, SharedItem, SharedMemory } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import { decodePlace, encodePlace } from '../memories/cursor.js';
import { unknownMemory } from '../memories/edit-memory.js';
import type { MemoryFilter } from '../memory.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { ListedMemory, Share, SharedMemoryPlace, StoredMemory } from '../ports/index.js';
import { excerptOfHead } from '../retrieval/make-excerpt.js';
import { parseQuery } from '../retrieval/parse-query.js';
import type { QueryUseCase } from '../retrieval/query.js';
import { splitTurns } from '../text/turns.js';

/** Characters of a text that an excerpt is made from. */
const HEAD = 1_200;
/** A memory that a person is shown: without notes, highlights, tags and reading, which are its owner's. */
type Item = Omit<SharedItem, 'personName'>;

/** Reading what is shared (SHR-2, SHR-3). */
export interface Shared {
  /** What others share with a user, and the user's own tags to which others may add. */
  list(userId: string): Promise<{ shared: SharedCollection[] }>;
  /** A page of a share, the newest memory first. Of a search with words, the best results. Throws NOT_FOUND. */
  read(
    userId: string,
    id: string,
    options?: { limit?: number | undefined; cursor?: string | undefined },
  ): Promise<{ collection: SharedCollection; memories: SharedItem[]; nextCursor: string | null }>;
  /** A memory of a share. Throws NOT_FOUND unless the share shows it now. */
  get(userId: string, id: string, memory: { personId: string; memoryId: string }): Promise<SharedMemory>;
  /** Adds a memory of the user's to a tag of another person. Throws NOT_FOUND, and OWNER_ONLY if they may not add. */
  add(userId: string, id: string, memoryId: string): Promise<void>;
  /** Takes an added memory out: for the person who added it, and for the owner of the tag. Throws NOT_FOUND. */
  takeOut(userId: string, id: string, memory: { personId: string; memoryId: string }): Promise<void>;
  /** The memories of the owner on a public page. Null if the token is unknown. */
  readPublic(token: string): Promise<{ name: string; showsText: boolean; memories: Item[] } | null>;
  /** A memory of a public page with its text. Null unless the page shows it, and whole texts. */
  getPublic(token: string, memoryId: string): Promise<(Item & { text: string }) | null>;
}

type Ports = Pick<CorePorts, 'shares' | 'users' | 'memories' | 'clock'>;

/**
 * Reads shares. Each look evaluates the tag or the search again, so that nothing is shown that is in the trash or no
 * longer belongs to it.
 *
 * @example
 * const { shared } = await core.shared.list('local');
 * for (const { id } of shared) console.log((await core.shared.read('local', id)).memories);
 */
export function createShared({ shares, users, memories, clock }: Ports, query: QueryUseCase): Shared {
  const nameOf = async (id: string) => (await users.find(id))?.name ?? '';
  const find = async (userId: string, id: string) => {
    const share = await shares.find(userId, id);
    if (share === null) throw unknownShare();
    return share;
  };

  const toCollection = async (share: Share, userId: string): Promise<SharedCollection> => ({
    id: share.id,
    name: share.tag ?? share.search?.name ?? '',
    kind: share.tag === null ? 'search' : 'tag',
    owner: { id: share.userId, name: await nameOf(share.userId) },
    isOwn: share.userId === userId,
    mayAdd: share.mayAdd && share.userId !== userId,
  });

  /** The best results of a search with words. */
  const findBest = async ({ userId, search }: Share): Promise<Item[]> => {
    const { answer } = await query(userId, search?.query ?? '', { limit: limits.shares.page });
    return answer.results.map(({ id, title, url, capturedAt, excerpt }) => ({
      personId: userId,
      id,
      title,
      url,
      capturedAt,
      excerpt,
    }));
  };

  /** The memories that were added, in the given order. */
  const readAdded = async (places: readonly SharedMemoryPlace[]): Promise<Item[]> => {
    const people = Map.groupBy(places, ({ userId }) => userId);
    const read = await Promise.all(
      Array.from(people, async ([userId, own]) => {
        const stored = await memories.findAll(
          userId,
          own.map(({ id }) => id),
        );
        return stored.map((memory) => toItem(userId, { ...memory, head: memory.text.slice(0, HEAD) }));
      }),
    );
    return read.flat();
  };

  /** Whether the share shows a memory of its owner now. */
  const shows = async (share: Share, { id, capturedAt }: Pick<StoredMemory, 'id' | 'capturedAt'>) => {
    const filter = filterOf(share);
    if (filter === null) return (await findBest(share)).some((item) => item.id === id);
    // Nothing but the memory itself is between this place and the memory.
    const after = { key: capturedAt, id: `${id}~` };
    const [next] = await memories.list(share.userId, { limit: 1, after, filter, sort: 'newest' });
    return next?.id === id;
  };

  const findShown = async (share: Share, { personId, memoryId }: { personId: string; memoryId: string }) => {
    const { tag } = share;
    const isOwners = personId === share.userId;
    const only = { userId: personId, id: memoryId };
    if (!isOwners && (tag === null || (await shares.added(share.userId, tag, { limit: 1, only })).length === 0))
      return null;
    const memory = await memories.find(personId, memoryId);
    return memory !== null && (!isOwners || (await shows(share, memory))) ? memory : null;
  };

  return {
    async list(userId) {
      const [others, own] = await Promise.all([shares.sharedWith(userId), shares.list(userId)]);
      const ownTags = new Map(own.filter(({ mayAdd }) => mayAdd).map((share) => [share.tag, share]));
      return {
        shared: await Promise.all([...others, ...ownTags.values()].map((share) => toCollection(share, userId))),
      };
    },

    async read(userId, id, { limit = limits.shares.page, cursor } = {}) {
      const share = await find(userId, id);
      const filter = filterOf(share);
      const after = cursor === undefined ? null : decodePlace('newest', cursor);
      const items = filter === null ? await findBest(share) : await listAll(share, filter, limit + 1, after);
      const page = filter === null ? items : items.slice(0, limit);
      const last = page.at(-1);
      const people = new Set(page.map(({ personId }) => personId));
      const names = new Map(await Promise.all(Array.from(people, async (each) => [each, await nameOf(each)] as const)));
      return {
        collection: await toCollection(share, userId),
        memories: page.map((item) => ({ ...item, personName: names.get(item.personId) ?? '' })),
        nextCursor:
          items.length > page.length && last !== undefined
            ? encodePlace('newest', { key: last.capturedAt, id: last.id })
            : null,
      };
    },

    async get(userId, id, place) {
      const memory = await findShown(await find(userId, id), place);
      if (memory === null) throw unknownMemory();
      const { text, captureMode, turnStarts } = memory;
      return {
        ...toItem(place.personId, { ...memory, head: text.slice(0, HEAD) }),
        personName: await nameOf(place.personId),
        text,
        turns: captureMode === 'conversation' ? splitTurns(text, turnStarts) : null,
      };
    },

    async add(userId, id, memoryId) {
      const share = await find(userId, id);
      if (share.userId === userId)
        throw new RecollectError('OWNER_ONLY', 'This tag is your own. Give the memory the tag to add it.');
      if (!share.mayAdd) throw new RecollectError('OWNER_ONLY', 'You can read this share, but not add memories to it.');
      const memory = { id: memoryId, addedAt: clock.now().toISOString() };
      const outcome = await shares.add(userId, share, memory, limits.shares.added);
      if (outcome === 'unknown') throw unknownMemory();
      if (outcome === 'full') {
        const message = `is one too many: at most ${limits.shares.added} memories can be added`;
        const errors = [{ pointer: '/memoryId', message }];
        throw new RecollectError('VALIDATION_FAILED', `memoryId ${message}.`, { errors });
      }
    },

    async takeOut(userId, id, { personId, memoryId }) {
      const { userId: ownerId, tag } = await find(userId, id);
      const mayTakeOut = tag !== null && (userId === personId || userId === ownerId);
      if (!mayTakeOut || !(await shares.takeOut(ownerId, tag, { userId: personId, id: memoryId })))
        throw unknownMemory();
    },

    async readPublic(token) {
      const share = await shares.findPublic(token);
      if (share === null) return null;
      const filter = filterOf(share);
      // What others have added is shared with people, and not with everyone.
      const items = filter === null ? await findBest(share) : await listOwn(share, filter, limits.shares.page, null);
      return { name: share.tag ?? share.search?.name ?? '', showsText: share.showsText, memories: items };
    },

    async getPublic(token, memoryId) {
      const share = await shares.findPublic(token);
      if (share === null || !share.showsText) return null;
      const memory = await findShown(share, { personId: share.userId, memoryId });
      if (memory === null) return null;
      const { text } = memory;
      return { ...toItem(share.userId, { ...memory, head: text.slice(0, HEAD) }), text };
    },
  };

  async function listOwn({ userId }: Share, filter: MemoryFilter, limit: number, after: Place | null) {
    const listed = await memories.list(userId, { limit, after, filter, sort: 'newest' });
    return listed.map((memory) => toItem(userId, memory));
  }

  /** The owner's memories and those that others have added, the newest first. */
  async function listAll(share: Share, filter: MemoryFilter, limit: number, after: Place | null): Promise<Item[]> {
    const { userId, tag } = share;
    const own = await listOwn(share, filter, limit, after);
    if (tag === null) return own;
    const others: Item[] = [];
    let place = after && { capturedAt: `${after.key}`, id: after.id };
    // Some that were added may be in the trash by now.
    while (others.length < limit) {
      const added = await shares.added(userId, tag, { limit, after: place });
      others.push(...(await readAdded(added)));
      place = added.at(-1) ?? null;
      if (added.length < limit) break;
    }
    return [...own, ...others].toSorted(byNewest).slice(0, limit);
  }
}

type Place = ReturnType<typeof decodePlace>;

/** The condition of a share. Null for a search with words, whose results have another order. */
function filterOf({ tag, search }: Share): MemoryFilter | null {
  if (tag !== null) return { tag };
  const { text, filter } = parseQuery(search?.query ?? '');
  return text === '' ? filter : null;
}

function toItem(personId: string, memory: ListedMemory): Item {
  const { id, title, url, capturedAt } = memory;
  return { personId, id, title, url, capturedAt, excerpt: excerptOfHead(memory) };
}

function byNewest(one: Item, other: Item): number {
  if (one.capturedAt !== other.capturedAt) return one.capturedAt < other.capturedAt ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}

function unknownShare(): RecollectError {
  return new RecollectError('NOT_FOUND', 'There is no share with this id.');
}
