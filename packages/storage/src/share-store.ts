import { timingSafeEqual } from 'node:crypto';
import { tagKey } from '@recollect/contract/text';
import type { Share, ShareStore } from '@recollect/core';
import type { Kysely } from 'kysely';
import { hashOf } from './access/access-stores.js';
import type { Database } from './dialect.js';
import { activeMemories } from './memories/active-memories.js';
import type { Tables, Trx } from './tables.js';

/** Shares in a database, portable over dialects. */
export function createShareStore({ reader, lookup, writer, transaction }: Database): ShareStore {
  return {
    async list(userId) {
      const rows = selectShares(reader).where('shares.user_id', '=', userId).orderBy('shares.id', 'desc');
      return withSearches(reader, await rows.execute());
    },

    save: (userId, share, most) =>
      transaction(userId, async (trx) => {
        const { id, tag, searchId, personId, token } = share;
        if (searchId !== null && !(await hasSearch(trx, userId, searchId))) return 'unknown';
        const key = tag === null ? null : tagKey(tag);
        const permissions = { may_add: share.mayAdd ? 1 : 0, shows_text: share.showsText ? 1 : 0 };
        const all = await trx
          .selectFrom('shares')
          .select(['id', 'tag_key', 'search_id', 'person_id'])
          .where('user_id', '=', userId)
          .execute();
        const same = all.find((row) => row.tag_key === key && row.search_id === searchId && row.person_id === personId);
        if (same === undefined && all.length >= most) return 'full';
        if (same === undefined) {
          const row = { user_id: userId, id, tag, tag_key: key, search_id: searchId, person_id: personId };
          const hash = token === null ? null : hashOf(token).toString('hex');
          await trx
            .insertInto('shares')
            .values({ ...row, ...permissions, token, hash, created_at: share.createdAt })
            .execute();
        } else {
          await trx
            .updateTable('shares')
            .set(permissions)
            .where('user_id', '=', userId)
            .where('id', '=', same.id)
            .execute();
        }
        const saved = selectShares(trx)
          .where('shares.user_id', '=', userId)
          .where('shares.id', '=', same?.id ?? id);
        const [stored] = await withSearches(trx, [await saved.executeTakeFirstOrThrow()]);
        return stored ?? 'unknown';
      }),

    async remove(userId, id) {
      // A transaction of the owner changes no rows of others.
      await writer.deleteFrom('shared_memories').where('owner_id', '=', userId).where('share_id', '=', id).execute();
      const { numDeletedRows } = await writer
        .deleteFrom('shares')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async sharedWith(personId) {
      const rows = selectShares(reader)
        .where('shares.person_id', '=', personId)
        .where('users.state', '=', 'active')
        .orderBy('shares.id', 'desc');
      return withSearches(reader, await rows.execute());
    },

    async find(userId, id) {
      // Not every database accepts NUL in a text.
      if (id.includes('\0')) return null;
      const row = await selectShares(reader)
        .where('shares.id', '=', id)
        .where(({ or, and, eb }) =>
          or([
            eb('shares.user_id', '=', userId),
            and([eb('shares.person_id', '=', userId), eb('users.state', '=', 'active')]),
          ]),
        )
        .executeTakeFirst();
      if (row === undefined) return null;
      const [share] = await withSearches(reader, [row]);
      return share ?? null;
    },

    async findPublic(token) {
      const hash = hashOf(token);
      const row = await selectShares(lookup)
        .where('shares.hash', '=', hash.toString('hex'))
        .where('users.state', '=', 'active')
        .executeTakeFirst();
      if (row === undefined || row.hash === null || !timingSafeEqual(Buffer.from(row.hash, 'hex'), hash)) return null;
      const [share] = await withSearches(lookup, [row]);
      return share ?? null;
    },

    add: (userId, share, { id, addedAt }, most) =>
      transaction(userId, async (trx) => {
        const memory = await activeMemories(trx, userId).select('captured_at').where('id', '=', id).executeTakeFirst();
        if (memory === undefined) return 'unknown';
        const { count } = await trx
          .selectFrom('shared_memories')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('owner_id', '=', share.userId)
          .where('share_id', '=', share.id)
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow();
        if (count >= most) return 'full';
        await trx
          .insertInto('shared_memories')
          .values({
            user_id: userId,
            memory_id: id,
            owner_id: share.userId,
            share_id: share.id,
            captured_at: memory.captured_at,
            added_at: addedAt,
          })
          .onConflict((conflict) => conflict.columns(['user_id', 'memory_id', 'owner_id', 'share_id']).doNothing())
          .execute();
        return 'stored';
      }),

    async takeOut(ownerId, tag, { userId, id }) {
      if (id.includes('\0') || userId.includes('\0')) return false;
      const { numDeletedRows } = await writer
        .deleteFrom('shared_memories')
        .where('user_id', '=', userId)
        .where('memory_id', '=', id)
        .where('owner_id', '=', ownerId)
        .where('share_id', 'in', sharesOfTag(writer, ownerId, tag))
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    added: (ownerId, tag, { limit, after = null, only }) =>
      reader
        .selectFrom('shared_memories')
        .innerJoin('users', 'users.id', 'shared_memories.user_id')
        .select(['user_id as userId', 'memory_id as id', 'captured_at as capturedAt'])
        .where('shared_memories.owner_id', '=', ownerId)
        .where('shared_memories.share_id', 'in', sharesOfTag(reader, ownerId, tag).where('may_add', '=', 1))
        .where('users.state', '=', 'active')
        .$if(after !== null, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('captured_at', 'memory_id'), '<', tuple(after?.capturedAt ?? '', after?.id ?? '')),
          ),
        )
        .$if(only !== undefined, (query) =>
          query
            .where('shared_memories.user_id', '=', only?.userId ?? '')
            .where('shared_memories.memory_id', '=', only?.id ?? ''),
        )
        .orderBy('captured_at', 'desc')
        .orderBy('memory_id', 'desc')
        .limit(limit)
        .execute(),
  };
}

/** All shares, with the people whose memories they show. */
function selectShares(db: Kysely<Tables>) {
  return db.selectFrom('shares').innerJoin('users', 'users.id', 'shares.user_id').selectAll('shares');
}

/** Adds the saved searches of shares, person by person. */
async function withSearches(db: Kysely<Tables>, rows: readonly Row[]): Promise<Share[]> {
  const owners = Map.groupBy(rows, ({ user_id }) => user_id);
  const searches = await Promise.all(
    Array.from(owners, async ([userId, own]) => {
      const ids = own.flatMap(({ search_id: id }) => id ?? []);
      if (ids.length === 0) return [];
      return db
        .selectFrom('saved_searches')
        .select(['id', 'name', 'query'])
        .where('user_id', '=', userId)
        .where('id', 'in', ids)
        .execute();
    }),
  );
  const byId = new Map(searches.flat().map((search) => [search.id, search]));
  return rows.map((row) => toShare(row, byId.get(row.search_id ?? '') ?? null));
}

/** The ids of a person's shares of a tag. */
function sharesOfTag(db: Kysely<Tables>, ownerId: string, tag: string) {
  return db.selectFrom('shares').select('id').where('user_id', '=', ownerId).where('tag_key', '=', tagKey(tag));
}

async function hasSearch(trx: Trx, userId: string, id: string): Promise<boolean> {
  if (id.includes('\0')) return false;
  const row = await trx
    .selectFrom('saved_searches')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

type Row = Tables['shares'];

function toShare(row: Row, search: Share['search']): Share {
  return {
    userId: row.user_id,
    id: row.id,
    tag: row.tag,
    search,
    personId: row.person_id,
    mayAdd: row.may_add === 1,
    showsText: row.shows_text === 1,
    token: row.token,
    createdAt: row.created_at,
  };
}
