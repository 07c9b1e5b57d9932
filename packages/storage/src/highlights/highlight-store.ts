import type { Highlight } from '@recollect/contract';
import type { HighlightStore } from '@recollect/core';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Database } from '../dialect.js';
import { recordChanges } from '../indexing/change-log.js';
import { activeMemories } from '../memories/active-memories.js';
import type { Tables } from '../tables.js';

/**
 * A highlight whose memory is not in the trash. Looks at that memory only, where a list of them would be all of the
 * user's.
 */
const isOfLiveMemory =
  (userId: string) =>
  ({ exists, selectFrom }: ExpressionBuilder<Tables, 'highlights'>) =>
    exists(
      selectFrom('memories')
        .select('memories.id')
        .where('memories.user_id', '=', userId)
        .whereRef('memories.id', '=', 'highlights.memory_id')
        .where('memories.deleted_at', 'is', null),
    );

/** When a highlight was last seen, which an index has. */
const SEEN_AT = sql<string>`coalesce(reviewed_at, created_at)`;

const compare = (one: string, other: string) => Number(one > other) - Number(one < other);

function toHighlight({ dismissed, ...row }: Omit<Highlight, 'dismissed'> & { dismissed: number }): Highlight {
  return { ...row, dismissed: dismissed === 1 };
}

/** Highlights in a database, portable over dialects. */
export function createHighlightStore({ reader, transaction, changeNumbers, isIn }: Database): HighlightStore {
  const ofUser = (userId: string) =>
    activeMemories(reader, userId)
      .innerJoin('highlights', (join) =>
        join.on('highlights.user_id', '=', userId).onRef('highlights.memory_id', '=', 'memories.id'),
      )
      .select([
        'highlights.id',
        'highlights.memory_id as memoryId',
        'memories.title',
        'memories.url',
        'memories.source_type as sourceType',
        'highlights.quote',
        'highlights.prefix',
        'highlights.suffix',
        'highlights.note',
        'highlights.colour',
        'highlights.reviewed_at as reviewedAt',
        'highlights.dismissed',
        'highlights.created_at as createdAt',
        'highlights.updated_at as updatedAt',
      ]);

  return {
    insert: (userId, highlight, most) =>
      transaction(userId, async (trx) => {
        const memory = await activeMemories(trx, userId)
          .select('id')
          .where('id', '=', highlight.memoryId)
          .executeTakeFirst();
        if (memory === undefined) return 'unknown';
        const { count } = await trx
          .selectFrom('highlights')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', userId)
          .where('memory_id', '=', highlight.memoryId)
          .executeTakeFirstOrThrow();
        if (count >= most) return 'full';
        await trx
          .insertInto('highlights')
          .values({
            user_id: userId,
            id: highlight.id,
            memory_id: highlight.memoryId,
            quote: highlight.quote,
            prefix: highlight.prefix,
            suffix: highlight.suffix,
            note: highlight.note,
            colour: highlight.colour,
            folded: highlight.folded,
            created_at: highlight.createdAt,
            updated_at: highlight.updatedAt,
          })
          .execute();
        // Followers of the change sequence, such as the web app in another window, also show highlights.
        await recordChanges({ trx, userId, changeNumbers }, new Set([highlight.memoryId]));
        return 'stored';
      }),

    async find(userId, id) {
      const row = await ofUser(userId).where('highlights.id', '=', id).executeTakeFirst();
      return row === undefined ? null : toHighlight(row);
    },

    update: (userId, id, { note, folded, colour, now }) =>
      transaction(userId, async (trx) => {
        const updated = await trx
          .updateTable('highlights')
          .set({ note, folded, colour, updated_at: now })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .where(isOfLiveMemory(userId))
          .returning('memory_id')
          .executeTakeFirst();
        if (updated !== undefined) await recordChanges({ trx, userId, changeNumbers }, new Set([updated.memory_id]));
        return updated !== undefined;
      }),

    remove: (userId, id) =>
      transaction(userId, async (trx) => {
        const removed = await trx
          .deleteFrom('highlights')
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .where(isOfLiveMemory(userId))
          .returning('memory_id')
          .executeTakeFirst();
        if (removed !== undefined) await recordChanges({ trx, userId, changeNumbers }, new Set([removed.memory_id]));
        return removed !== undefined;
      }),

    async list(userId, { memoryId, words, limit, after }) {
      let selection = ofUser(userId)
        .orderBy('highlights.created_at', 'desc')
        .orderBy('highlights.id', 'desc')
        .limit(limit);
      if (memoryId !== null) selection = selection.where('highlights.memory_id', '=', memoryId);
      for (const word of words) {
        const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
        selection = selection.where(sql<boolean>`highlights.folded like ${pattern} escape '\\'`);
      }
      if (after !== null)
        selection = selection.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('highlights.created_at', 'highlights.id'), '<', tuple(after.createdAt, after.id)),
        );
      return (await selection.execute()).map(toHighlight);
    },

    async onPages(userId, urlKeys, limit) {
      // Without an order, so that the memories come first, by their index.
      const rows = await ofUser(userId)
        .select(sql<string>`memories.url_key`.as('urlKey'))
        .where(isIn('memories.url_key', urlKeys))
        .limit(limit)
        .execute();
      return rows.map(({ urlKey, ...row }) => ({ ...toHighlight(row), urlKey }));
    },

    async reviewable(userId, since, limit) {
      const base = reader
        .selectFrom('highlights')
        .select(['id', 'memory_id as memoryId'])
        .where('user_id', '=', userId)
        .where('created_at', '<', since)
        .where(isOfLiveMemory(userId))
        .limit(limit);
      const due = base
        .select(SEEN_AT.as('seenAt'))
        .where('dismissed', '=', 0)
        .where(SEEN_AT, '<', since)
        .orderBy(SEEN_AT)
        .orderBy('id');
      // In the order of before their decisions.
      const decided = base
        .select(sql<string>`coalesce(reviewed_before, created_at)`.as('seenAt'))
        .where('dismissed', 'in', [0, 1])
        .where(SEEN_AT, '>=', since);
      const rows = [...(await due.execute()), ...(await decided.execute())];
      return rows
        .sort((one, other) => compare(one.seenAt, other.seenAt) || compare(one.id, other.id))
        .slice(0, limit)
        .map(({ id, memoryId }) => ({ id, memoryId }));
    },

    review: (userId, id, { decision, since, now }) =>
      transaction(userId, async (trx) => {
        const before = sql<string | null>`case when reviewed_at >= ${since} then reviewed_before else reviewed_at end`;
        const reviewed = await trx
          .updateTable('highlights')
          .set({
            reviewed_at: decision === null ? before : now,
            reviewed_before: decision === null ? null : before,
            dismissed: decision === 'dismiss' ? 1 : 0,
          })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .where(isOfLiveMemory(userId))
          .returning('memory_id')
          .executeTakeFirst();
        if (reviewed !== undefined) await recordChanges({ trx, userId, changeNumbers }, new Set([reviewed.memory_id]));
        return reviewed !== undefined;
      }),
  };
}
