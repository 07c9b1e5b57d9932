import type { Scope } from '@recollect/contract';

/** What is known of an API key, without the key but for its beginning. */
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
 * The API keys of all users. A key itself is never kept, only its SHA-256, and is compared in constant time. What is
 * written is seen by the next read of every process.
 */
export interface ApiKeyStore {
  insert(stored: StoredApiKey, key: string): Promise<void>;
  /** Newest first. */
  list(userId: string): Promise<StoredApiKey[]>;
  /** Removes a key for good. False when unknown. */
  remove(userId: string, id: string): Promise<boolean>;
  /** What is known of a key, of whichever user; null when there is no such key. Every request with a key waits for it. */
  find(key: string): Promise<StoredApiKey | null>;
  /** Notes that a key was used. One that is gone meanwhile stays gone. */
  touch(userId: string, id: string, now: string): Promise<void>;
}
