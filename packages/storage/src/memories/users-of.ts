import type { Kysely } from 'kysely';
import type { Tables } from '../tables.js';

/** The users that have rows in a table, whose key begins with the user: one look at its index for each, however many rows they have. */
export async function usersOf(db: Kysely<Tables>, table: 'memories' | 'pictures'): Promise<string[]> {
  const users: string[] = [];
  for (let last = ''; ; ) {
    const next = await db
      .selectFrom(table)
      .select('user_id')
      .where('user_id', '>', last)
      .orderBy('user_id')
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) return users;
    last = next.user_id;
    users.push(last);
  }
}
