import type { Migration } from 'kysely/migration';
import * as schema from './0001-schema.js';

/** PostgreSQL's chain of migrations. It begins at the schema that SQLite had reached when it was added. */
export const migrations: Record<string, Migration> = { '0001-schema': schema };
