import { createHash } from 'node:crypto';
import { createCore, LOCAL_USER } from '@recollect/core';
import { createFakeModel, createNewMemory } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';

const AT = '2026-01-31T12:00:00.000Z';

/** Rows of tables that a store fills only after damage, or while plugins and servers run. */
const ROWS = `
  insert into damaged_memories select user_id, id, '${AT}' from memories limit 1;
  insert or replace into integrity_round values (1, 'local', 'm', '${AT}', null);
  insert or replace into store_time values (1, 86400000, '${AT}', 0);
  insert or replace into leases values ('local', 'indexing', 7, 5, 9);
  insert into plugin_installations values ('digest', 'shipped', '{}', 'abc', 1, 1, '[]', '{"a":1}', 0, null, null, '${AT}', '${AT}');
  insert into plugin_uses select id, 'digest', '${AT}' from users where id <> 'local';
  insert into plugin_schedules values ('local', 'digest', 'daily', 1, 60, '${AT}', '${AT}');
  insert into plugin_runs values (3, 'local', 'r1', 'digest', 'daily', 'manual', 'succeeded', 'done', '{}', '${AT}', '${AT}');
  insert into plugin_events values (4, 'local', 'digest', 'e1', 'm', 0, '${AT}', '${AT}', 0, null, '${AT}');
  insert into plugin_told values ('local', 'digest', 5);
  insert into plugin_state values ('local', 'digest', 'k', '{"last":"ü"}', '${AT}');
  insert into invitations select id, 'i1', 'hash', '${AT}', '${AT}' from users where id <> 'local';
  insert into passkeys select user_id, 'k1', id, 'public', 3, '${AT}' from api_keys where user_id = 'local' limit 1;
  insert into identities select user_id, 'https://id.example', 's1', id, '${AT}' from api_keys limit 1;
  insert into shares select user_id, 's1', null, null, id, null, 0, 1, 'token', 'hash', '${AT}' from saved_searches
    where user_id = 'local';
  insert into shares select 'local', 's2', 'Tea', 'tea', null, id, 1, 0, null, null, '${AT}' from users where id <> 'local';
  insert into shared_memories select user_id, id, 'local', 's2', captured_at, '${AT}' from memories where user_id <> 'local';
  insert into imports values ('local', 'i1', '${AT}', 'bookmarks.html', '["Pocket"]', 2, 0, null);
  insert into server_secrets values ('challenges', 'secret');
  insert into used_challenges values ('hash', '${AT}');
  insert into audit_log values (6, '${AT}', 'local', 'invitePerson', 'p1', '{"role":"member"}');
  insert into error_log values ('search', 'UNEXPECTED', 'TypeError', 2, '${AT}', '${AT}', null, '[]');
  insert into passage_vectors select user_id, model_id, chunk_id, x'00ff10' from embeddings where model_id = 1;
  insert or ignore into former_hashes select user_id, 'former', id from memories limit 1`;

/** Makes a store in a file in which each table has rows, of two people and two models. */
export async function fillStore(path: string, memories = 6): Promise<void> {
  const url = `sqlite:${path}`;
  const models = [createFakeModel('other'), createFakeModel()];
  for (const embeddingModel of models) {
    const storage = await openStorage({ url, readers: 0 });
    const core = createCore({ ...storage, embeddingModel });
    if (embeddingModel === models[0]) {
      const { id: ann } = await core.people.create({ name: 'Ann', address: 'ann@a.example' });
      for (const userId of [LOCAL_USER, ann]) await fillUser(core, userId, memories);
      const picture = pictureOf(Uint8Array.of(1, 2, 255));
      const pictured = createNewMemory({ url: 'https://b.example/p', chunks: ['A picture of a lamp.'] });
      await storage.memories.insert(LOCAL_USER, [{ ...pictured, pictures: { picture, favicon: picture } }], {
        now: new Date(AT),
        indexing: () => null,
        triggersHooks: false,
      });
    }
    await core.indexing.queueMissing();
    while ((await core.indexing.runDue()).pending > 0);
    await storage.close();
  }
  const database = new Sqlite(path);
  database.exec(ROWS);
  database.close();
}

async function fillUser(core: ReturnType<typeof createCore>, userId: string, memories: number): Promise<void> {
  const captures = Array.from({ length: memories }, (_, number) => ({
    title: `Lamp ${number} 🪔`,
    url: `https://a.example/${number}`,
    pageText: `Green tea ${number} is steeped in 東京. See [[Lamp 1]].\n\n`.repeat(1 + number * 9),
    tags: ['Tea', `n${number}`],
    comments: number === 0 ? [{ author: 'Bo', text: 'It never froze.' }] : undefined,
  }));
  const { answer } = await core.capture(userId, captures, { idempotencyKey: 'once' });
  const ids = answer.captures.map(({ id }) => id);
  const [first = '', second = '', third = ''] = ids;
  await core.memories.update(userId, first, { note: 'warm', tags: ['cup'] });
  await core.memories.update(userId, second, { text: 'The text was replaced.' });
  const { id: marked } = await core.highlights.create(userId, first, { quote: 'Green tea', colour: 'blue' });
  await core.highlights.decide(userId, marked, 'dismiss');
  await core.savedSearches.create(userId, { name: 'Tea', query: 'tea' });
  await core.tagLooks.change(userId, { tag: 'Tea', icon: '🍵', colour: 'green' });
  await core.memories.remove(userId, third);
  const { key } = await core.apiKeys.create(userId);
  const holder = await core.apiKeys.authenticate(key);
  if (holder !== null) await core.sessions.open(holder, 'Browser');
  await core.pairings.create(userId);
}

function pictureOf(bytes: Uint8Array<ArrayBuffer>) {
  return {
    type: 'image/png' as const,
    hash: createHash('sha256').update(bytes).digest('hex'),
    width: 1,
    height: 1,
    bytes,
  };
}
