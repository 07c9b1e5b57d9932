import type { StorageDialect } from './dialect.js';
import { createPostgresDialect } from './postgres/dialect.js';
import { sqliteDialect } from './sqlite/dialect.js';

const postgresDialect = createPostgresDialect();
const dialects: Readonly<Record<string, StorageDialect>> = {
  sqlite: sqliteDialect,
  file: sqliteDialect,
  postgres: postgresDialect,
  postgresql: postgresDialect,
};

/** Returns the dialect of a store URL, by its scheme. */
export function dialectOf(url: string): StorageDialect {
  const dialect = dialects[url.slice(0, url.indexOf(':'))];
  if (dialect !== undefined) return dialect;
  throw new Error(`Unknown store URL. It must start with ${Object.keys(dialects).join(': or ')}:.`);
}
