import { sql } from 'kysely';

/**
 * Marks a statement of a search that a connection prepares and keeps. Its plan must suit all values, so statements with
 * the filter of a query have none. SQLite prepares all statements.
 */
export const PREPARED = '/* prepared */';

/** {@link PREPARED}, for the front of a statement. */
export const prepared = sql.raw(PREPARED);
