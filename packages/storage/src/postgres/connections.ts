import type { Kysely } from 'kysely';
import type { ConnectOptions } from '../connect-options.js';
import type { Tables } from '../tables.js';
import type { Listen } from './listen.js';

/** Connections to a database. */
export interface OpenDatabase {
  reader: Kysely<Tables>;
  writer: Kysely<Tables>;
  /** A replica, which may be behind or away. */
  replica?: Kysely<Tables>;
  /** Where it is, without a password. */
  location: string;
  /** Missing where nothing can be listened for. */
  listen?: Listen;
  close(): Promise<void>;
}

/** Opens connections to the database of a URL. Throws if it cannot be used. */
export type OpenConnections = (url: string, options: ConnectOptions) => Promise<OpenDatabase>;
