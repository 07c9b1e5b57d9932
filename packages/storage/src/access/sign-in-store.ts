import { timingSafeEqual } from 'node:crypto';
import type { SignInStore, StoredInvitation, StoredPasskey } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables, Trx } from '../tables.js';
import { hashOf, toKey, toKeyRow } from './access-stores.js';

/** The name of the secret that seals challenges. */
const CHALLENGES = 'challenges';

/** Invitations, passkeys and identities in a database, portable over dialects. */
export function createSignInStore({ lookup, transaction, writer }: Database): SignInStore {
  const findOpen = async (db: Database['lookup'], token: string, now: string): Promise<StoredInvitation | null> => {
    const hash = hashOf(token);
    const row = await db
      .selectFrom('invitations')
      .selectAll()
      .where('hash', '=', hash.toString('hex'))
      .executeTakeFirst();
    if (row === undefined || !timingSafeEqual(Buffer.from(row.hash, 'hex'), hash)) return null;
    return row.expires_at > now ? toInvitation(row) : null;
  };

  const hasPasskey = async (db: Database['lookup'], id: string) =>
    (await db.selectFrom('passkeys').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

  const hasIdentity = async (db: Database['lookup'], issuer: string, subject: string) => {
    const known = db.selectFrom('identities').select('subject').where('issuer', '=', issuer);
    return (await known.where('subject', '=', subject).executeTakeFirst()) !== undefined;
  };

  return {
    invite: ({ userId, id, createdAt, expiresAt }, token) =>
      transaction(userId, async (trx) => {
        await trx.deleteFrom('invitations').where('user_id', '=', userId).execute();
        const times = { created_at: createdAt, expires_at: expiresAt };
        await trx
          .insertInto('invitations')
          .values({ user_id: userId, id, hash: hashOf(token).toString('hex'), ...times })
          .execute();
      }),

    findInvitation: (token, now) => findOpen(lookup, token, now),

    async accept(token, now, passkey, stored, key) {
      // A wrong token takes no turn of the writer.
      const open = await findOpen(lookup, token, now);
      // The transaction sees only the passkeys of this person.
      if (open === null || (await hasPasskey(lookup, passkey.id))) return false;
      return transaction(open.userId, async (trx) => {
        const invitation = await findOpen(trx, token, now);
        if (invitation === null || (await hasPasskey(trx, passkey.id))) return false;
        await trx.insertInto('api_keys').values(toKeyRow(stored, key)).execute();
        await trx.insertInto('passkeys').values(toPasskeyRow(passkey)).execute();
        const { userId, id } = invitation;
        await trx.deleteFrom('invitations').where('user_id', '=', userId).where('id', '=', id).execute();
        await activate(trx, userId);
        return true;
      });
    },

    async findIdentity(issuer, subject) {
      // Not every database accepts NUL in a text.
      if (subject.includes('\0')) return null;
      const row = await lookup
        .selectFrom('identities')
        .innerJoin('api_keys', (join) =>
          join.onRef('api_keys.user_id', '=', 'identities.user_id').onRef('api_keys.id', '=', 'identities.api_key_id'),
        )
        .selectAll('api_keys')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst();
      return row === undefined ? null : toKey(row);
    },

    async link({ userId, issuer, subject, apiKeyId, createdAt }, stored, key) {
      if (await hasIdentity(lookup, issuer, subject)) return false;
      return transaction(userId, async (trx) => {
        if (await hasIdentity(trx, issuer, subject)) return false;
        await trx.insertInto('api_keys').values(toKeyRow(stored, key)).execute();
        const row = { user_id: userId, issuer, subject, api_key_id: apiKeyId, created_at: createdAt };
        await trx.insertInto('identities').values(row).execute();
        await activate(trx, userId);
        return true;
      });
    },

    async findPasskey(id) {
      // Not every database accepts NUL in a text.
      if (id.includes('\0')) return null;
      const row = await lookup.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst();
      if (row === undefined) return null;
      const key = await lookup
        .selectFrom('api_keys')
        .selectAll()
        .where('user_id', '=', row.user_id)
        .where('id', '=', row.api_key_id)
        .executeTakeFirst();
      return key === undefined ? null : { passkey: toPasskey(row), key: toKey(key) };
    },

    async challengeSecret(fresh) {
      const read = async () => {
        const secrets = lookup.selectFrom('server_secrets').select('value').where('name', '=', CHALLENGES);
        return (await secrets.executeTakeFirst())?.value;
      };
      const known = await read();
      if (known !== undefined) return known;
      await writer
        .insertInto('server_secrets')
        .values({ name: CHALLENGES, value: fresh })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      return (await read()) ?? fresh;
    },

    useChallenge: (hash, { now, until }) =>
      transaction(null, async (trx) => {
        await trx.deleteFrom('used_challenges').where('expires_at', '<=', now).execute();
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('used_challenges')
          .values({ hash, expires_at: until })
          .onConflict((conflict) => conflict.column('hash').doNothing())
          .executeTakeFirst();
        return (numInsertedOrUpdatedRows ?? 0n) > 0n;
      }),

    async countUse(userId, id, counter) {
      await writer
        .updateTable('passkeys')
        .set({ counter })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .execute();
    },
  };
}

/** Makes an invited person active. */
async function activate(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('users')
    .set({ state: 'active' })
    .where('id', '=', userId)
    .where('state', '=', 'invited')
    .execute();
}

function toInvitation(row: Selectable<Tables['invitations']>): StoredInvitation {
  return { userId: row.user_id, id: row.id, createdAt: row.created_at, expiresAt: row.expires_at };
}

function toPasskey(row: Selectable<Tables['passkeys']>): StoredPasskey {
  return {
    userId: row.user_id,
    id: row.id,
    apiKeyId: row.api_key_id,
    publicKey: row.public_key,
    counter: row.counter,
    createdAt: row.created_at,
  };
}

function toPasskeyRow({ userId, id, apiKeyId, publicKey, counter, createdAt }: StoredPasskey) {
  return { user_id: userId, id, api_key_id: apiKeyId, public_key: publicKey, counter, created_at: createdAt };
}
