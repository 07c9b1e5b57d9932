import type { StoreInspector } from '@recollect/core';
import type { Connected, Database } from './dialect.js';

/** Describes an open store. */
export function createInspector(
  { reader }: Database,
  { facts, problem }: Pick<Connected, 'facts' | 'problem'>,
): StoreInspector {
  return {
    facts,
    problem,

    async counts(userId) {
      const count = (table: 'memories' | 'chunks' | 'highlights') =>
        reader
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', userId);
      const [all, trash, chunks, highlights] = await Promise.all([
        count('memories').executeTakeFirstOrThrow(),
        reader
          .selectFrom('memories')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', userId)
          .where('deleted_at', 'is not', null)
          .executeTakeFirstOrThrow(),
        count('chunks').executeTakeFirstOrThrow(),
        count('highlights').executeTakeFirstOrThrow(),
      ]);
      return {
        memories: all.count - trash.count,
        trash: trash.count,
        chunks: chunks.count,
        highlights: highlights.count,
      };
    },
  };
}
