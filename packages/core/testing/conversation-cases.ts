import { equal } from './assert.js';
import type { Check } from './harness.js';
import { createNewMemory, unitVector } from './samples.js';

const NOW = '2026-01-31T12:00:00.000Z';
const everything = { limit: 50, filter: {} };

/** Registers the cases for conversations that are captured again (CAP-13). */
export function checkConversations(check: Check): void {
  check('CAP-13: adds new turns of a conversation to the same memory, after the existing ones', async (storage) => {
    const first = createNewMemory({ ...conversationOf('a'), tags: ['x'], metadata: { turns: 1, kept: true } });
    const [created] = await storage.insert('ann', first);
    await storage.embed('ann', 'm', created, unitVector(4, 0));
    const second = createNewMemory({ ...conversationOf('a', 'berry'), tags: ['y'], metadata: { turns: 2 } });
    const [updated] = await storage.insert('ann', second);
    equal([updated?.status, updated?.id, updated?.title], ['updated', first.memory.id, first.memory.title], 'saved');
    equal(
      updated?.added.map(({ text, previous }) => [text, previous]),
      [[' berry', 'a']],
      'added',
    );
    const found = await storage.memories.find('ann', first.memory.id);
    equal([found?.text, found?.tags, found?.metadata], ['a berry', ['x', 'y'], { turns: 2, kept: true }], 'memory');
    equal(await storage.search('ann', 'berry'), [first.memory.id], 'search for a new word');
    equal(await storage.memories.hasEmbeddings('ann', 'm', first.memory.id), false, 'the new chunk has no embedding');
    const pending = await storage.memories.pendingChunks('ann', 'm', 10);
    equal(
      pending.map(({ text }) => text),
      [' berry'],
      'chunks to embed',
    );
    await storage.embed('ann', 'm', updated, unitVector(4, 1));
    equal(await storage.memories.hasEmbeddings('ann', 'm', first.memory.id), true, 'all embedded');
    const [again] = await storage.insert('ann', createNewMemory(conversationOf('a', 'berry')));
    equal([again?.status, again?.id], ['duplicate', first.memory.id], 'status of the same capture again');
  });

  check(
    'CAP-13: creates another memory for a different beginning, URL or user, or when the first is in the trash',
    async (storage) => {
      await storage.insert('ann', createNewMemory(conversationOf('a', 'b')));
      const statuses = async (userId: string, ...drafts: ReturnType<typeof createNewMemory>[]) =>
        (await storage.insert(userId, ...drafts)).map(({ status }) => status);
      const longer = conversationOf('a', 'b', 'c');
      equal(await statuses('ann', createNewMemory(conversationOf('x', 'b', 'c'))), ['created'], 'another beginning');
      equal(
        await statuses('ann', createNewMemory({ ...longer, url: 'https://other.example/' })),
        ['created'],
        'another URL',
      );
      equal(await statuses('bob', createNewMemory(longer)), ['created'], 'another user');
      const notes = [conversationOf('n'), conversationOf('n', 'm')].map((given) =>
        createNewMemory({ ...given, url: null }),
      );
      equal(await statuses('ann', ...notes), ['created', 'created'], 'without a URL');
      const page = createNewMemory({ url: 'https://page.example/', chunks: ['p'] });
      const talk = createNewMemory({ ...conversationOf('p', 'q'), url: 'https://page.example/' });
      equal(await statuses('ann', page, talk), ['created', 'created'], 'after a page of the same text');
      const trashed = createNewMemory({ ...conversationOf('t'), url: 'https://trash.example/' });
      await storage.insert('ann', trashed);
      await storage.memories.trash('ann', trashed.memory.id, NOW);
      const recaptured = createNewMemory({ ...conversationOf('t', 'u'), url: 'https://trash.example/' });
      equal(await statuses('ann', recaptured), ['created'], 'in the trash');
    },
  );

  check(
    'CAP-13: an older capture that arrives after a longer one is a duplicate of it, and adds its tags',
    async (storage) => {
      const at = (minute: number) => `2026-01-31T12:0${minute}:00.000Z`;
      const longer = createNewMemory({ ...conversationOf('a', 'b', 'c'), tags: ['x'], capturedAt: at(2) });
      await storage.insert('ann', longer);
      const [late] = await storage.insert(
        'ann',
        createNewMemory({ ...conversationOf('a', 'b'), tags: ['y'], capturedAt: at(1) }),
      );
      equal([late?.status, late?.id, late?.added], ['duplicate', longer.memory.id, []], 'outcome');
      const found = await storage.memories.find('ann', longer.memory.id);
      equal([found?.text, found?.tags], ['a b c', ['x', 'y']], 'memory');
      const [other] = await storage.insert('ann', createNewMemory({ ...conversationOf('a', 'x'), capturedAt: at(1) }));
      equal(other?.status, 'created', 'status of another text');
      const [shorter] = await storage.insert(
        'ann',
        createNewMemory({ ...conversationOf('a', 'b'), capturedAt: at(3) }),
      );
      equal(shorter?.status, 'created', 'status of a conversation that has become shorter');
    },
  );

  check('CAP-13: stores each turn once when a conversation is captured concurrently', async (storage) => {
    const turns = Array.from({ length: 8 }, (_, turn) => `t${turn}`);
    const drafts = turns.map((_, turn) =>
      createNewMemory({ ...conversationOf(...turns.slice(0, turn + 1)), capturedAt: `2026-01-31T12:0${turn}:00.000Z` }),
    );
    await Promise.all(drafts.map((draft) => storage.insert('ann', draft)));
    const listed = await storage.memories.list('ann', { ...everything, after: null });
    equal(listed.length, 1, 'memories');
    equal((await storage.memories.find('ann', listed[0]?.id ?? ''))?.text, turns.join(' '), 'text');
  });
}

/** A conversation with one chunk per turn, joined by a space. */
function conversationOf(...turns: string[]) {
  const chunks = turns.map((turn, at) => (at === 0 ? turn : ` ${turn}`));
  return {
    url: 'https://chat.example/1',
    contentHash: `conversation ${turns.join()}`,
    chunks,
    conversation: {
      turns: turns.length,
      starts: turns.map((_, index) => turns.slice(0, index).join('').length),
      chunksAfter: (count: number, text: string) =>
        chunks.slice(0, count).join('') === text ? chunks.slice(count) : null,
    },
  };
}
