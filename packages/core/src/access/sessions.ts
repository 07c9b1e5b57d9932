import type { Session, SessionList } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { ProviderLogout, StoredSession } from '../ports/index.js';
import { createId } from '../text/create-id.js';
import { createToken, isToken } from './create-token.js';
import { holderOf, type KeyHolder } from './key-holder.js';

const DAY = 86_400_000;
/** Minimum interval between updates of a session's last use, in milliseconds. */
const LAST_USE = 60_000;

/** The holder of the API key that opened a session. */
export interface SessionHolder extends KeyHolder {
  sessionId: string;
}

/** Sessions of the web app (SEC-19). A session may do what its API key may do, and ends with it. */
export interface Sessions {
  /** Opens a session for the holder of a key. Only this answer contains the token. */
  open(
    holder: KeyHolder,
    label: string,
    options?: { providerSession?: string | null },
  ): Promise<{ token: string; session: Session }>;
  list(userId: string): Promise<SessionList>;
  /** Ends a session, effective for the next request in every process. Throws NOT_FOUND. */
  revoke(userId: string, id: string): Promise<void>;
  /** Ends all sessions of a person. Returns how many. */
  revokeAll(userId: string): Promise<number>;
  /** Ends the sessions that a provider of identities has ended. Returns how many. */
  endOfProvider(ended: ProviderLogout): Promise<number>;
  /** Ends the session of a token, if there is one. */
  end(token: string): Promise<void>;
  /**
   * Returns the holder of a token. Null if the token is malformed, unknown or expired, or its key is, or if its person
   * is suspended.
   */
  authenticate(token: string): Promise<SessionHolder | null>;
}

/** Opens, lists, ends and authenticates sessions. */
export function createSessions({ sessions, users, clock }: Pick<CorePorts, 'sessions' | 'users' | 'clock'>): Sessions {
  const touching = new Set<string>();

  const touch = ({ userId, id, lastUsedAt }: StoredSession, now: Date): void => {
    const isRecent = lastUsedAt !== null && Math.abs(now.getTime() - Date.parse(lastUsedAt)) < LAST_USE;
    if (isRecent || touching.has(id)) return;
    touching.add(id);
    // The request does not wait for this write and does not fail with it.
    void sessions
      .touch(userId, id, now.toISOString())
      .catch(() => {})
      .finally(() => touching.delete(id));
  };

  return {
    async open({ userId, apiKeyId }, label, { providerSession = null } = {}) {
      const now = clock.now();
      const token = createToken();
      const stored: StoredSession = {
        userId,
        providerSession,
        id: createId(now),
        apiKeyId,
        label: label.replace(/\p{Cc}+/gu, ' ').slice(0, limits.sessions.labelLength),
        createdAt: now.toISOString(),
        lastUsedAt: null,
        expiresAt: new Date(now.getTime() + limits.sessions.days * DAY).toISOString(),
      };
      await sessions.removeExpired(now.toISOString());
      await sessions.insert(stored, token);
      return { token, session: toSession(stored) };
    },

    async list(userId) {
      const now = clock.now().toISOString();
      const stored = await sessions.list(userId);
      return { sessions: stored.filter(({ expiresAt }) => expiresAt > now).map(toSession) };
    },

    async revoke(userId, id) {
      if (await sessions.remove(userId, id)) return;
      throw new RecollectError('NOT_FOUND', 'There is no session with this id.');
    },

    async revokeAll(userId) {
      const open = await sessions.list(userId);
      for (const { id } of open) await sessions.remove(userId, id);
      return open.length;
    },

    endOfProvider: (ended) => sessions.removeOfProvider(ended),

    async end(token) {
      const match = isToken(token) ? await sessions.find(token) : null;
      if (match !== null) await sessions.remove(match.session.userId, match.session.id);
    },

    async authenticate(token) {
      if (!isToken(token)) return null;
      const now = clock.now();
      const match = await sessions.find(token);
      if (match === null) return null;
      const { session, key } = match;
      const holder = Date.parse(session.expiresAt) <= now.getTime() ? null : await holderOf(users, key, now);
      if (holder === null) return null;
      touch(session, now);
      return { ...holder, sessionId: session.id };
    },
  };
}

function toSession({ userId: _, providerSession: __, ...session }: StoredSession): Session {
  return session;
}
