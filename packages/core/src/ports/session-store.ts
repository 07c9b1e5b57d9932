import type { Session } from '@recollect/contract';
import type { StoredApiKey } from './api-key-store.js';

/** A session as stored: without its token. */
export interface StoredSession extends Session {
  userId: string;
}

/**
 * The sessions of the web app. Stores only the SHA-256 of a token, and compares it in constant time. A session is deleted with
 * its API key.
 */
export interface SessionStore {
  insert(stored: StoredSession, token: string): Promise<void>;
  /** Newest first. */
  list(userId: string): Promise<StoredSession[]>;
  /** False when unknown. */
  remove(userId: string, id: string): Promise<boolean>;
  /** The session of a token, with the API key that opened it. Null when unknown. Every request with a cookie waits for it. */
  find(token: string): Promise<{ session: StoredSession; key: StoredApiKey } | null>;
  /** Updates the last use of a session. */
  touch(userId: string, id: string, now: string): Promise<void>;
  /** Deletes the sessions that expired before an instant. */
  removeExpired(now: string): Promise<void>;
}
