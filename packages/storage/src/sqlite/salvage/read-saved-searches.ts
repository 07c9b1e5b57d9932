import type Sqlite from 'better-sqlite3';
import { readUntilDamage } from './read-rows.js';

/** A saved search that was read from a damaged store. */
export interface SalvagedSearch {
  name: string;
  query: string;
}

/** The saved searches, from both ends of their table: one read usually reaches rows that the other cannot. */
export function readSavedSearches(database: Sqlite.Database): SalvagedSearch[] {
  const found = new Map<string, string>();
  for (const order of ['asc', 'desc'])
    for (const { name, query } of readUntilDamage(
      database,
      `select name, query from saved_searches order by user_id ${order}, id ${order}`,
    ))
      if (typeof name === 'string' && typeof query === 'string' && !found.has(name)) found.set(name, query);
  return Array.from(found, ([name, query]) => ({ name, query }));
}
