import { AsyncLocalStorage } from 'node:async_hooks';

/** Stands for all users. Not the id of a user. */
export const EVERYONE = '*';

const acting = new AsyncLocalStorage<string>();

/** Runs statements for a user. A database with row-level security shows them only the rows of this user. */
export function actAs<T>(userId: string, work: () => T): T {
  return acting.run(userId, work);
}

/** The user for whom the present statement runs. Empty outside of {@link actAs}, where no row of a user is visible. */
export function actingUser(): string {
  return acting.getStore() ?? '';
}
