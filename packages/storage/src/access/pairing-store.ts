import { timingSafeEqual } from 'node:crypto';
import type { PairingStore, StoredPairing } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';
import { hashOf, toKey, toKeyRow } from './access-stores.js';

type Row = Selectable<Tables['pairing_codes']>;

/** One-time codes in a database, portable over dialects. */
export function createPairingStore({ writer, lookup, transaction }: Database): PairingStore {
  /** The code, if it can be redeemed. */
  const findOpen = async (db: Database['lookup'], code: string, now: string): Promise<Row | null> => {
    const hash = hashOf(code);
    const row = await db
      .selectFrom('pairing_codes')
      .selectAll()
      .where('hash', '=', hash.toString('hex'))
      .executeTakeFirst();
    if (row === undefined || !timingSafeEqual(Buffer.from(row.hash, 'hex'), hash)) return null;
    return row.api_key_id === null && row.expires_at > now ? row : null;
  };

  return {
    async insert(stored, code) {
      await writer
        .insertInto('pairing_codes')
        .values({
          user_id: stored.userId,
          id: stored.id,
          hash: hashOf(code).toString('hex'),
          expires_at: stored.expiresAt,
          api_key_id: stored.apiKeyId,
        })
        .execute();
    },

    async get(userId, id) {
      const row = await lookup
        .selectFrom('pairing_codes')
        .selectAll()
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return null;
      const key =
        row.api_key_id === null
          ? undefined
          : await lookup
              .selectFrom('api_keys')
              .selectAll()
              .where('user_id', '=', userId)
              .where('id', '=', row.api_key_id)
              .executeTakeFirst();
      return { pairing: toPairing(row), key: key === undefined ? null : toKey(key) };
    },

    async redeem(code, now, createKey) {
      // A wrong code takes no turn of the writer.
      const open = await findOpen(lookup, code, now);
      if (open === null) return null;
      return transaction(open.user_id, async (trx) => {
        // A user's transactions wait for each other, so that two devices cannot both find it open.
        if ((await findOpen(trx, code, now)) === null) return null;
        const { stored, key } = createKey(open.user_id);
        await trx.insertInto('api_keys').values(toKeyRow(stored, key)).execute();
        await trx
          .updateTable('pairing_codes')
          .set({ api_key_id: stored.id })
          .where('user_id', '=', open.user_id)
          .where('id', '=', open.id)
          .execute();
        return { stored, key };
      });
    },

    async removeExpired(now) {
      await writer.deleteFrom('pairing_codes').where('expires_at', '<=', now).execute();
    },
  };
}

function toPairing(row: Row): StoredPairing {
  return { userId: row.user_id, id: row.id, expiresAt: row.expires_at, apiKeyId: row.api_key_id };
}
