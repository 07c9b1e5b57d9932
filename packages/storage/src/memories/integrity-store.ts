import type { IntegrityStore } from '@recollect/core';
import type { Database } from '../dialect.js';
import { isIntact } from './checksum.js';
import { type ChecksumContent, readChecksumContents, recordDamage, writeChecksums } from './checksums.js';

/** Reads of a memory that must all fail. A change between reading its row and its text looks like damage once. */
const READS = 3;

/** Checks memories against their checksums, and keeps the list of damaged ones. */
export function createIntegrityStore(
  database: Database,
  checkStructure: (signal: AbortSignal | undefined) => Promise<string[]>,
): IntegrityStore {
  const { reader, writer, transaction, isIn } = database;

  const isDamaged = async ({ row, text }: ChecksumContent) => {
    for (let reads = 1; !isIntact(row, text); reads += 1) {
      if (reads === READS) return true;
      const [again] = await readChecksumContents(reader, isIn, row.user_id, [row.id]);
      if (again === undefined) return false;
      ({ row, text } = again);
    }
    return false;
  };

  const nextKeys = (after: { userId: string; id: string }, limit: number) =>
    reader
      .selectFrom('memories')
      .select(['user_id', 'id'])
      .where(({ eb, refTuple, tuple }) => eb(refTuple('user_id', 'id'), '>', tuple(after.userId, after.id)))
      .orderBy('user_id')
      .orderBy('id')
      .limit(limit)
      .execute();

  return {
    checkStructure,

    async round() {
      const row = await reader.selectFrom('integrity_round').selectAll().executeTakeFirst();
      return row === undefined
        ? null
        : {
            after: { userId: row.user_id, id: row.memory_id },
            startedAt: row.started_at,
            finishedAt: row.finished_at,
          };
    },

    async saveRound({ after, startedAt, finishedAt }) {
      const row = { user_id: after.userId, memory_id: after.id, started_at: startedAt, finished_at: finishedAt };
      await writer
        .insertInto('integrity_round')
        .values({ id: 1, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
    },

    async checkNext(after, limit) {
      const keys = await nextKeys(after, limit);
      const last = keys.at(-1);
      const outcome = {
        checked: keys.length,
        last: last === undefined ? null : { userId: last.user_id, id: last.id },
        damaged: [] as { userId: string; id: string }[],
        withoutChecksum: [] as { userId: string; id: string }[],
      };
      for (const { user_id: userId, id } of keys) {
        const [memory] = await readChecksumContents(reader, isIn, userId, [id]);
        if (memory === undefined) continue;
        if (await isDamaged(memory)) outcome.damaged.push({ userId, id });
        else if (memory.row.seal === null) outcome.withoutChecksum.push({ userId, id });
      }
      return outcome;
    },

    async addChecksums(keys) {
      for (const [userId, ofUser] of Map.groupBy(keys, (key) => key.userId)) {
        const ids = ofUser.map(({ id }) => id);
        await transaction(userId, (trx) => writeChecksums({ trx, userId, isIn }, ids));
      }
    },

    record: (userId, id, now) => recordDamage(writer, userId, id, now),

    async damaged(limit) {
      const rows = await reader.selectFrom('damaged_memories').selectAll().orderBy('found_at').limit(limit).execute();
      return rows.map((row) => ({ userId: row.user_id, id: row.memory_id, foundAt: row.found_at }));
    },
  };
}
