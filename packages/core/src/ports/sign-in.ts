import type { StoredApiKey } from './access.js';

/** A link with which a person makes a passkey, as stored: without its token. */
export interface StoredInvitation {
  userId: string;
  id: string;
  /** ISO 8601 in UTC. */
  createdAt: string;
  expiresAt: string;
}

/** A passkey as stored. */
export interface StoredPasskey {
  userId: string;
  /** The id of the credential, in base64url. */
  id: string;
  /** The API key by which its sessions are listed and revoked. Nobody knows the key itself. */
  apiKeyId: string;
  /** In base64url. */
  publicKey: string;
  /** How often it was used, by the authenticator's own count. Many always report 0. */
  counter: number;
  createdAt: string;
}

/** An account at a provider of identities, as stored. */
export interface StoredIdentity {
  userId: string;
  issuer: string;
  subject: string;
  /** The API key by which its sessions are listed and revoked. Nobody knows the key itself. */
  apiKeyId: string;
  createdAt: string;
}

/**
 * Invitations, passkeys and identities. Stores only the SHA-256 of an invitation's token, and compares it in constant
 * time. A passkey or identity is deleted with its API key.
 */
export interface SignInStore {
  /** Replaces the person's earlier invitations. */
  invite(invitation: StoredInvitation, token: string): Promise<void>;
  /** Null if the token is unknown, used or expired at `now`. */
  findInvitation(token: string, now: string): Promise<StoredInvitation | null>;
  /**
   * Stores a passkey with its API key, deletes the invitation, and makes an invited person active, in one transaction.
   * False, and nothing is stored, if the token is unknown, used or expired at `now`, or the passkey is known.
   */
  accept(token: string, now: string, passkey: StoredPasskey, stored: StoredApiKey, key: string): Promise<boolean>;
  /** Null when unknown. */
  findPasskey(id: string): Promise<{ passkey: StoredPasskey; key: StoredApiKey } | null>;
  /** Stores the counter of a passkey that was used. */
  countUse(userId: string, id: string, counter: number): Promise<void>;
  /** The API key of an identity. Null when unknown. */
  findIdentity(issuer: string, subject: string): Promise<StoredApiKey | null>;
  /**
   * Stores an identity with its API key, and makes an invited person active, in one transaction. False, and nothing is
   * stored, if the identity is known.
   */
  link(identity: StoredIdentity, stored: StoredApiKey, key: string): Promise<boolean>;
  /** The secret that seals challenges, in all servers of the store. Stores a new one if there is none. */
  challengeSecret(fresh: string): Promise<string>;
  /** Stores the hash of a used challenge until an instant, and removes expired ones. False if it is known. */
  useChallenge(hash: string, times: { now: string; until: string }): Promise<boolean>;
}

/** An action of an operator. */
export interface AuditRecord {
  /** ISO 8601 in UTC. */
  at: string;
  actorId: string;
  operation: string;
  target: string | null;
  details: Readonly<Record<string, unknown>>;
}

/** What operators did. */
export interface AuditLog {
  /** Adds an entry, and deletes all but the newest `kept`. */
  add(entry: AuditRecord, kept: number): Promise<void>;
  /** Newest first, before a position if it is not null. */
  list(limit: number, before: number | null): Promise<(AuditRecord & { position: number })[]>;
}
