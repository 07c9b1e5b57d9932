import type { ApiKey, ApiKeyAnswer, ApiKeyList, Scope } from '@recollect/contract';
import { scopes as allScopes } from '@recollect/contract/vocabulary';
import { RecollectError } from '../error.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { StoredApiKey } from '../ports/index.js';
import { createId } from '../text/create-id.js';
import { createApiKey, isApiKey, prefixOf } from './api-key-format.js';
import { accessOf, holderOf, type KeyHolder } from './key-holder.js';

/** Minimum interval between updates of a key's last use, in milliseconds: a write per request would cost too much. */
const LAST_USE = 60_000;
/** The default scopes of a key: all except those with power over other keys or the deployment. */
const DEFAULT_SCOPES: readonly Scope[] = allScopes.filter((scope) => scope !== 'admin' && scope !== 'operate');

export interface ApiKeyRequest {
  name?: string | null | undefined;
  /** Every scope but `admin` and `operate` by default. */
  scopes?: readonly Scope[] | null | undefined;
  /** ISO 8601. Without it the key does not expire. */
  expiresAt?: string | null | undefined;
}

export interface ApiKeys {
  /**
   * Creates a key. Only this answer contains it. Throws VALIDATION_FAILED for an expiry in the past, and OWNER_ONLY for
   * the scope `operate` of a person who does not operate the deployment.
   *
   * @example
   * const { key } = await core.apiKeys.create(LOCAL_USER, { name: 'Phone', scopes: ['capture:write'] });
   * const holder = await core.apiKeys.authenticate(key); // { userId, apiKeyId, scopes: ['capture:write'] }
   */
  create(userId: string, request?: ApiKeyRequest): Promise<ApiKeyAnswer>;
  list(userId: string): Promise<ApiKeyList>;
  /** Revokes a key, effective for the next request in every process. Throws NOT_FOUND. */
  revoke(userId: string, id: string): Promise<void>;
  /** Returns the holder of a key. Null if it is malformed, unknown, revoked or expired, or its person is suspended. */
  authenticate(key: string): Promise<KeyHolder | null>;
}

/** Creates, lists, revokes and authenticates API keys (SEC-8). */
export function createApiKeys({ apiKeys, users, clock }: Pick<CorePorts, 'apiKeys' | 'users' | 'clock'>): ApiKeys {
  const touching = new Map<string, Promise<void>>();

  const touch = ({ userId, id, lastUsedAt }: StoredApiKey, now: Date): void => {
    const isRecent = lastUsedAt !== null && Math.abs(now.getTime() - Date.parse(lastUsedAt)) < LAST_USE;
    if (isRecent || touching.has(id)) return;
    // The request does not wait for this write and does not fail with it.
    const done = apiKeys.touch(userId, id, now.toISOString()).catch(() => {});
    touching.set(id, done);
    void done.then(() => touching.delete(id));
  };

  return {
    async create(userId, request = {}) {
      if (request.scopes?.includes('operate') && (await accessOf(users, userId))?.role !== 'owner')
        throw new RecollectError(
          'OWNER_ONLY',
          'Only a person who operates this deployment can give the scope operate.',
        );
      const { stored, key } = draftApiKey(userId, request, clock.now());
      await apiKeys.insert(stored, key);
      return { key, apiKey: toApiKey(stored) };
    },

    async list(userId) {
      await Promise.all(touching.values());
      return { apiKeys: (await apiKeys.list(userId)).map(toApiKey) };
    },

    async revoke(userId, id) {
      if (await apiKeys.remove(userId, id)) return;
      throw new RecollectError('NOT_FOUND', 'There is no API key with this id.');
    },

    async authenticate(key) {
      if (!isApiKey(key)) return null;
      const now = clock.now();
      const storedKey = await apiKeys.find(key);
      const holder = storedKey && (await holderOf(users, storedKey, now));
      if (storedKey !== null && holder !== null) touch(storedKey, now);
      return holder;
    },
  };
}

/** A new key and what is stored of it. Throws VALIDATION_FAILED for an expiry in the past. */
export function draftApiKey(
  userId: string,
  { name, scopes, expiresAt }: ApiKeyRequest,
  now: Date,
): { stored: StoredApiKey; key: string } {
  const key = createApiKey();
  const stored: StoredApiKey = {
    userId,
    id: createId(now),
    name: name?.replace(/\p{Cc}+/gu, ' ').trim() || null,
    prefix: prefixOf(key),
    scopes: allScopes.filter((scope) => (scopes ?? DEFAULT_SCOPES).includes(scope)),
    createdAt: now.toISOString(),
    lastUsedAt: null,
    expiresAt: parseExpiry(expiresAt, now),
  };
  return { stored, key };
}

function parseExpiry(expiresAt: string | null | undefined, now: Date): string | null {
  if (!expiresAt?.trim()) return null;
  const expiry = new Date(expiresAt);
  if (expiry.getTime() > now.getTime()) return expiry.toISOString();
  const message = 'must be in the future';
  throw new RecollectError('VALIDATION_FAILED', `expiresAt ${message}.`, {
    errors: [{ pointer: '/expiresAt', message }],
  });
}

/** A key without its user. */
export function toApiKey({ id, name, prefix, scopes, createdAt, lastUsedAt, expiresAt }: StoredApiKey): ApiKey {
  return { id, name, prefix, scopes: [...scopes], createdAt, lastUsedAt, expiresAt };
}
