import type { Scope } from '@recollect/contract';

/** An API key as it is kept: without the key, but for its beginning and a hash. */
export interface StoredApiKey {
  userId: string;
  id: string;
  name: string | null;
  prefix: string;
  /** SHA-256 of the whole key, hexadecimal. */
  hash: string;
  scopes: readonly Scope[];
  /** Instants are ISO 8601 in UTC. */
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
}

/** The API keys of all users. What is written is seen by the next read of every process. */
export interface ApiKeyStore {
  insert(key: StoredApiKey): Promise<void>;
  /** Newest first. */
  list(userId: string): Promise<StoredApiKey[]>;
  /** Removes a key for good. False when unknown. */
  remove(userId: string, id: string): Promise<boolean>;
  /** The keys, of whichever user, that begin so: one, unless two happen to begin alike. */
  findByPrefix(prefix: string): Promise<StoredApiKey[]>;
  /** Notes that a key was used. One that is gone meanwhile stays gone. */
  touch(userId: string, id: string, now: string): Promise<void>;
}
