import type { Scope, Session } from '@recollect/contract';

/** An API key as stored: without the key itself, except for its prefix. */
export interface StoredApiKey {
  userId: string;
  id: string;
  name: string | null;
  prefix: string;
  scopes: readonly Scope[];
  /** Instants are ISO 8601 in UTC. */
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
}

/**
 * The API keys of all users. Stores only the SHA-256 of a key, never the key, and compares it in constant time. Writes
 * are visible to the next read in every process.
 */
export interface ApiKeyStore {
  insert(stored: StoredApiKey, key: string): Promise<void>;
  /** Newest first. */
  list(userId: string): Promise<StoredApiKey[]>;
  /** Deletes a key permanently. False when unknown. */
  remove(userId: string, id: string): Promise<boolean>;
  /** Looks up a key of any user. Null when unknown. Must be fast, because every request with a key waits for it. */
  find(key: string): Promise<StoredApiKey | null>;
  /** Updates the last use of a key. A key that was deleted meanwhile stays deleted. */
  touch(userId: string, id: string, now: string): Promise<void>;
}

/** A session as stored: without its token. */
export interface StoredSession extends Session {
  userId: string;
  /** The session at the provider of identities in which it began. Null if it began otherwise. */
  providerSession: string | null;
}

/** What a provider of identities says has ended: everything of a subject, a session, or a session of a subject. */
export interface ProviderLogout {
  issuer: string;
  /** Null: of any subject. */
  subject: string | null;
  /** Null: all sessions. */
  session: string | null;
}

/**
 * The sessions of the web app. Stores only the SHA-256 of a token, and compares it in constant time. A session is
 * deleted with its API key.
 */
export interface SessionStore {
  insert(stored: StoredSession, token: string): Promise<void>;
  /** Newest first. */
  list(userId: string): Promise<StoredSession[]>;
  /** False when unknown. */
  remove(userId: string, id: string): Promise<boolean>;
  /**
   * The session of a token, with the API key that opened it. Null when unknown. Every request with a cookie waits for
   * it.
   */
  find(token: string): Promise<{ session: StoredSession; key: StoredApiKey } | null>;
  /** Updates the last use of a session. */
  touch(userId: string, id: string, now: string): Promise<void>;
  /**
   * Deletes the sessions of an account at a provider of identities: all, or only with one session there. Returns how
   * many.
   */
  removeOfProvider(ended: ProviderLogout): Promise<number>;
  /** Deletes the sessions that expired before an instant. */
  removeExpired(now: string): Promise<void>;
}

/** A one-time code as stored: without the code itself. */
export interface StoredPairing {
  userId: string;
  id: string;
  /** ISO 8601 in UTC. */
  expiresAt: string;
  /** The key that a device got for the code. Null before that. */
  apiKeyId: string | null;
}

/**
 * One-time codes for devices. Stores only the SHA-256 of a code, and compares it in constant time. A used code is
 * deleted with its key.
 */
export interface PairingStore {
  insert(stored: StoredPairing, code: string): Promise<void>;
  /** The code of an id, and the key that a device got for it. Null when unknown. */
  get(userId: string, id: string): Promise<{ pairing: StoredPairing; key: StoredApiKey | null } | null>;
  /**
   * Exchanges a code for the key that `createKey` makes, in one transaction. Null, and nothing is stored, when the code
   * is unknown, used or expired at `now`.
   */
  redeem(
    code: string,
    now: string,
    createKey: (userId: string) => { stored: StoredApiKey; key: string },
  ): Promise<{ stored: StoredApiKey; key: string } | null>;
  /** Deletes the codes that expired before an instant. */
  removeExpired(now: string): Promise<void>;
}
