import type { AuditLog } from '@recollect/core';
import type { Database } from '../dialect.js';

/** What operators did, in a database, portable over dialects. */
export function createAuditLog({ reader, transaction }: Database): AuditLog {
  return {
    async add({ at, actorId, operation, target, details }, kept) {
      await transaction(null, async (trx) => {
        const { position } = await trx
          .insertInto('audit_log')
          .values({ at, actor_id: actorId, operation, target, details: JSON.stringify(details) })
          .returning('position')
          .executeTakeFirstOrThrow();
        await trx
          .deleteFrom('audit_log')
          .where('position', '<=', position - kept)
          .execute();
      });
    },

    async list(limit, before) {
      const all = reader.selectFrom('audit_log').selectAll().orderBy('position', 'desc').limit(limit);
      const rows = await (before === null ? all : all.where('position', '<', before)).execute();
      return rows.map(({ actor_id: actorId, details, ...entry }) => ({
        ...entry,
        actorId,
        details: JSON.parse(details) as Record<string, unknown>,
      }));
    },
  };
}
