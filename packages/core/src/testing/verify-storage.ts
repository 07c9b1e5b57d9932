import type { IndexingJobStore, MemoryStore, SavedMemory, TextIndex, VectorIndex } from '../ports/index.js';
import type { MemoryFilter, NewMemory } from '../memory.js';
import { equal, ok } from './assert.js';
import { createNewMemory, unitVector } from './samples.js';

/** What an implementation of the stores has to hand over, opened and empty. */
export interface StorageUnderTest {
  memories: MemoryStore;
  textIndex: TextIndex;
  vectorIndex: VectorIndex;
  indexingJobs: IndexingJobStore;
  close(): Promise<void>;
}

type Test = (title: string, run: () => Promise<void>) => void;

const NOW = '2026-01-31T12:00:00.000Z';
const noIndexing = { indexing: () => null };
const everything = { limit: 50, filter: {} };

/**
 * The conformance suite of the store ports: whatever passes it can stand under core. `test` is the test runner's
 * function, `open` gives an empty store each time.
 */
export function verifyStorage(test: Test, open: () => Promise<StorageUnderTest>): void {
  const check = (title: string, run: (storage: StorageUnderTest) => Promise<void>) =>
    test(title, async () => {
      const storage = await open();
      try {
        await run(storage);
      } finally {
        await storage.close();
      }
    });
  const insert = async ({ memories }: StorageUnderTest, userId: string, ...drafts: NewMemory[]): Promise<SavedMemory[]> => {
    const outcome = await memories.insert(userId, drafts, noIndexing);
    if ('replayed' in outcome) throw new Error('Nothing was to be replayed.');
    return outcome.saved;
  };
  const search = async ({ textIndex }: StorageUnderTest, userId: string, word: string, filter: MemoryFilter = {}) => {
    const hits = await textIndex.search(userId, { terms: [[word]], prefix: null }, { limit: 50, filter });
    return hits.map(({ memoryId }) => memoryId);
  };

  check('CAP-11: text, metadata and tags come back as they were stored', async (storage) => {
    const text = ['First 𝄞 chunk with 漢字.\n\n', 'Second <b>chunk</b>; drop table "memories"; --'];
    const draft = createNewMemory({ chunks: text, metadata: { a: [1, { b: null }], 'ü"': '\u202e' }, tags: ['x', 'y'] });
    const [saved] = await insert(storage, 'ann', draft);
    const found = await storage.memories.find('ann', draft.memory.id);
    equal(saved?.chunkIds.length, 2, 'chunks');
    equal(found?.text, text.join(''), 'text');
    equal(found?.metadata, draft.memory.metadata, 'metadata');
    equal(found?.tags, ['x', 'y'], 'tags');
  });

  check('CAP-7: the same content is one memory, also when ten arrive at once', async (storage) => {
    const drafts = Array.from({ length: 10 }, () => createNewMemory({ contentHash: 'same' }));
    const outcomes = await Promise.all(drafts.map((draft) => insert(storage, 'ann', draft)));
    equal(outcomes.flat().filter(({ status }) => status === 'created').length, 1, 'created');
    equal(new Set(outcomes.flat().map(({ id }) => id)).size, 1, 'ids');
    const other = await insert(storage, 'bob', createNewMemory({ contentHash: 'same' }));
    equal(other[0]?.status, 'created', 'the same content of another user');
  });

  check('CAP-7: capturing again moves the time on and takes over tags and note', async (storage) => {
    const first = createNewMemory({ contentHash: 'same', tags: ['a'], note: 'one' });
    const again = createNewMemory({ contentHash: 'same', tags: ['b'], note: 'zweites', capturedAt: '2026-02-01T00:00:00.000Z' });
    await insert(storage, 'ann', first, again);
    const found = await storage.memories.find('ann', first.memory.id);
    equal(found?.lastCapturedAt, '2026-02-01T00:00:00.000Z', 'last captured');
    equal(found?.capturedAt, first.memory.capturedAt, 'first captured');
    equal(found?.tags, ['a', 'b'], 'tags');
    equal(found?.note, 'one\n\nzweites', 'note');
    equal(await search(storage, 'ann', 'zweites'), [first.memory.id], 'found by the new note');
  });

  check('CAP-8: an answer is kept with the memories and given again', async (storage) => {
    const plan = {
      ...noIndexing,
      replay: { key: 'k', requestHash: 'h', answer: (saved: readonly SavedMemory[]) => ({ ids: saved.map(({ id }) => id) }) },
    };
    const draft = createNewMemory({});
    await storage.memories.insert('ann', [draft], plan);
    const again = await storage.memories.insert('ann', [createNewMemory({})], plan);
    equal(again, { replayed: { requestHash: 'h', answer: { ids: [draft.memory.id] } } }, 'second insert');
    equal((await storage.memories.list('ann', { limit: 10, after: null, filter: {} })).length, 1, 'memories');
    await storage.memories.updateAnswer('ann', 'k', { whole: true });
    equal((await storage.memories.findAnswer('ann', 'k'))?.answer, { whole: true }, 'updated answer');
    equal(await storage.memories.findAnswer('bob', 'k'), null, "another user's key");
  });

  check('CAP-10: a fault in the middle stores nothing at all', async (storage) => {
    const plan = { indexing: () => { throw new Error('fault'); } };
    const failed = await storage.memories.insert('ann', [createNewMemory({ chunks: ['lost'] })], plan).catch(() => 'failed');
    equal(failed, 'failed', 'insert');
    equal(await search(storage, 'ann', 'lost'), [], 'index');
    equal((await storage.memories.list('ann', { limit: 10, after: null, filter: {} })).length, 0, 'memories');
  });

  check('QRY-7: a search sees its own user alone', async (storage) => {
    const mine = createNewMemory({ chunks: ['shared word'] });
    const theirs = createNewMemory({ chunks: ['shared word'] });
    const [saved] = await insert(storage, 'ann', mine);
    const [other] = await insert(storage, "bob' or 1=1 --", theirs);
    equal(await search(storage, 'ann', 'shared'), [mine.memory.id], 'text');
    const vector = unitVector(8, 1);
    await storage.vectorIndex.put('ann', 'm', [{ chunkId: saved?.chunkIds[0] ?? 0, vector }]);
    await storage.vectorIndex.put("bob' or 1=1 --", 'm', [{ chunkId: other?.chunkIds[0] ?? 0, vector }]);
    const hits = await storage.vectorIndex.search('ann', 'm', vector, everything);
    equal(hits.map(({ memoryId }) => memoryId), [mine.memory.id], 'vectors');
    await storage.vectorIndex.put('ann', 'm', [{ chunkId: other?.chunkIds[0] ?? 0, vector }]);
    equal((await storage.vectorIndex.search('ann', 'm', vector, everything)).length, 1, "another user's chunk is not taken");
  });

  check('QRY-3: words are found across forms, case, accents and within CJK text', async (storage) => {
    const draft = createNewMemory({ title: 'Reisebericht', chunks: ['The runners were RUNNING past the Café in 東京都.'] });
    await insert(storage, 'ann', draft);
    for (const word of ['run', 'cafe', 'CAFÉ'.toLowerCase(), 'reisebericht', '京']) {
      equal(await search(storage, 'ann', word), [draft.memory.id], word);
    }
    const phrase = { terms: [['東', '京'], ['大', '阪']], prefix: null };
    equal((await storage.textIndex.search('ann', phrase, everything)).length, 1, 'one of two pairs');
    equal((await storage.textIndex.search('ann', { terms: [['京', '東']], prefix: null }, everything)).length, 0, 'turned round');
  });

  check('QRY-3: an unfinished last word is found, also past the end of its stem', async (storage) => {
    const draft = createNewMemory({ chunks: ['Photosynthesis while running.'] });
    await insert(storage, 'ann', draft);
    for (const prefix of ['photosyn', 'runn', 'runnin']) {
      const hits = await storage.textIndex.search('ann', { terms: [[prefix]], prefix }, everything);
      equal(hits.length, 1, prefix);
    }
  });

  check('QRY-8: filters hold for text and vectors alike', async (storage) => {
    const page = createNewMemory({ chunks: ['word'], url: 'https://docs.site.example/a', tags: ['t'], capturedAt: '2026-01-01T00:00:00.000Z' });
    const note = createNewMemory({ chunks: ['word'], capturedAt: '2026-01-20T00:00:00.000Z' });
    const saved = await insert(storage, 'ann', page, note);
    const vector = unitVector(8, 1);
    await storage.vectorIndex.put('ann', 'm', saved.map(({ chunkIds }) => ({ chunkId: chunkIds[0] ?? 0, vector })));
    const filters: [MemoryFilter, string[]][] = [
      [{ site: 'site.example' }, [page.memory.id]],
      [{ site: 'te.example' }, []],
      [{ tag: 't' }, [page.memory.id]],
      [{ sourceType: 'note' }, [note.memory.id]],
      [{ since: '2026-01-20T00:00:00.000Z' }, [note.memory.id]],
      [{ until: '2026-01-20T00:00:00.000Z' }, [page.memory.id]],
      [{ until: '2026-01-20T00:00:00.000Z', sourceType: 'note' }, []],
    ];
    for (const [filter, expected] of filters) {
      const name = JSON.stringify(filter);
      equal(await search(storage, 'ann', 'word', filter), expected, `text ${name}`);
      const near = await storage.vectorIndex.search('ann', 'm', vector, { limit: 50, filter });
      equal(near.map(({ memoryId }) => memoryId), expected, `vectors ${name}`);
      const listed = await storage.memories.list('ann', { limit: 50, after: null, filter });
      equal(listed.map(({ id }) => id), expected, `list ${name}`);
    }
  });

  check('retrieval: scores of given chunks are those of the search', async (storage) => {
    const saved = await insert(storage, 'ann', createNewMemory({ chunks: ['apple pie', 'apple'] }), createNewMemory({ chunks: ['pear'] }));
    const query = { terms: [['apple'], ['pie']], prefix: null };
    const hits = await storage.textIndex.search('ann', query, everything);
    const scores = await storage.textIndex.scores('ann', query, saved.flatMap(({ chunkIds }) => chunkIds));
    equal(hits.length, 2, 'hits');
    ok(hits.every(({ score }) => score > 0), 'scores are above 0');
    equal([...scores].sort(), hits.map(({ chunkId, score }) => [chunkId, score]).sort(), 'scores');
  });

  check('retrieval: the nearest vectors come first, with their cosines', async (storage) => {
    const saved = await insert(storage, 'ann', createNewMemory({}), createNewMemory({}), createNewMemory({}));
    const ids = saved.map(({ chunkIds }) => chunkIds[0] ?? 0);
    const vectors = [unitVector(16, 0), unitVector(16, 0, 1), unitVector(16, 5)];
    await storage.vectorIndex.put('ann', 'm', ids.map((chunkId, at) => ({ chunkId, vector: vectors[at] ?? unitVector(16, 0) })));
    const hits = await storage.vectorIndex.search('ann', 'm', unitVector(16, 0), everything);
    equal(hits.map(({ chunkId }) => chunkId), ids, 'order');
    const expected = [1, Math.SQRT1_2, 0];
    for (const [at, hit] of hits.entries()) ok(Math.abs(hit.similarity - (expected[at] ?? 0)) < 0.02, `cosine ${at}`);
    const again = await storage.vectorIndex.similarities('ann', 'm', unitVector(16, 0), ids);
    equal([...again].sort(), hits.map(({ chunkId, similarity }) => [chunkId, similarity]).sort(), 'similarities');
    equal((await storage.vectorIndex.search('ann', 'other', unitVector(16, 0), everything)).length, 0, 'another model');
    equal((await storage.vectorIndex.search('ann', 'm', unitVector(8, 0), everything)).length, 0, 'another dimension');
  });

  check('retrieval: vectors of a wrong dimension or without finite numbers are refused', async (storage) => {
    const [saved] = await insert(storage, 'ann', createNewMemory({}));
    const chunkId = saved?.chunkIds[0] ?? 0;
    await storage.vectorIndex.put('ann', 'm', [{ chunkId, vector: unitVector(8, 0) }]);
    for (const vector of [unitVector(4, 0), new Float32Array(8).fill(Number.NaN)]) {
      const outcome = await storage.vectorIndex.put('ann', 'm', [{ chunkId, vector }]).catch(() => 'refused');
      equal(outcome, 'refused', `${vector.length} dimensions`);
    }
  });

  check('MEM-1: lists page by page, newest first', async (storage) => {
    const drafts = Array.from({ length: 5 }, (_, day) => createNewMemory({ capturedAt: `2026-01-0${day + 1}T00:00:00.000Z` }));
    await insert(storage, 'ann', ...drafts);
    const seen: string[] = [];
    let after: { capturedAt: string; id: string } | null = null;
    for (;;) {
      const page: { capturedAt: string; id: string }[] = await storage.memories.list('ann', { limit: 2, after, filter: {} });
      if (page.length === 0) break;
      seen.push(...page.map(({ id }) => id));
      after = page.at(-1) ?? null;
    }
    equal(seen, drafts.map(({ memory }) => memory.id).reverse(), 'order');
  });

  check('MEM-2: what is deleted is in no answer, and gone once the trash is emptied', async (storage) => {
    const draft = createNewMemory({ chunks: ['secret'], url: 'https://a.example/' });
    const [saved] = await insert(storage, 'ann', draft);
    const chunkId = saved?.chunkIds[0] ?? 0;
    const vector = unitVector(8, 1);
    await storage.vectorIndex.put('ann', 'm', [{ chunkId, vector }]);
    equal(await storage.memories.trash('bob', draft.memory.id, NOW), false, "another user's delete");
    equal(await storage.memories.trash('ann', draft.memory.id, NOW), true, 'delete');
    equal(await storage.memories.trash('ann', draft.memory.id, NOW), false, 'deleting twice');
    equal(await search(storage, 'ann', 'secret'), [], 'text');
    equal((await storage.vectorIndex.search('ann', 'm', vector, everything)).length, 0, 'vectors');
    equal(await storage.memories.find('ann', draft.memory.id), null, 'find');
    equal(await storage.memories.lookup('ann', [draft.urlKey ?? '']), [], 'lookup');
    equal((await storage.memories.readHits('ann', [{ memoryId: draft.memory.id, chunkId }])).size, 0, 'hits');
    equal(await storage.memories.countEmbedded('ann', 'm'), { total: 0, withEmbeddings: 0 }, 'count');
    equal(await storage.memories.restore('ann', draft.memory.id, NOW), 'restored', 'restore');
    equal(await search(storage, 'ann', 'secret'), [draft.memory.id], 'text after restoring');
    await storage.memories.trash('ann', draft.memory.id, NOW);
    await storage.memories.purge({ trashed: '2026-02-01T00:00:00.000Z', answered: NOW });
    equal(await storage.memories.restore('ann', draft.memory.id, NOW), 'unknown', 'after the trash is emptied');
  });

  check('MEM-1: restoring what was captured again meanwhile is refused', async (storage) => {
    const draft = createNewMemory({ contentHash: 'same' });
    await insert(storage, 'ann', draft);
    await storage.memories.trash('ann', draft.memory.id, NOW);
    const [again] = await insert(storage, 'ann', createNewMemory({ contentHash: 'same' }));
    equal(again?.status, 'created', 'captured again');
    equal(await storage.memories.restore('ann', draft.memory.id, NOW), 'duplicate', 'restore');
  });

  check('MEM-1: a change of title, tags and note shows in every index', async (storage) => {
    const draft = createNewMemory({ title: 'Old', chunks: ['body'], tags: ['a'] });
    const [saved] = await insert(storage, 'ann', draft);
    await storage.vectorIndex.put('ann', 'm', [{ chunkId: saved?.chunkIds[0] ?? 0, vector: unitVector(8, 1) }]);
    equal(await storage.memories.hasEmbeddings('ann', 'm', draft.memory.id), true, 'embedded');
    const change = { title: 'Fresh', tags: ['b'], note: 'remark' };
    equal(await storage.memories.update('ann', draft.memory.id, change, NOW), true, 'update');
    equal(await storage.memories.update('ann', 'unknown', change, NOW), false, 'unknown');
    equal(await search(storage, 'ann', 'old'), [], 'old title');
    for (const word of ['fresh', 'remark', 'b', 'body']) equal(await search(storage, 'ann', word), [draft.memory.id], word);
    equal(await search(storage, 'ann', 'body', { tag: 'a' }), [], 'old tag');
    equal(await storage.memories.hasEmbeddings('ann', 'm', draft.memory.id), false, 'the embeddings had the old title');
  });

  check('MEM-3: URLs are looked up by their key, newest first', async (storage) => {
    const older = createNewMemory({ url: 'https://a.example/x', capturedAt: '2026-01-01T00:00:00.000Z' });
    const newer = createNewMemory({ url: 'https://a.example/x', capturedAt: '2026-01-02T00:00:00.000Z' });
    await insert(storage, 'ann', newer, older);
    const found = await storage.memories.lookup('ann', ['https://a.example/x', 'https://b.example/']);
    equal(found.map(({ id, urlKey }) => [id, urlKey]), [[newer.memory.id, 'https://a.example/x']], 'found');
  });

  check('IDX-1: a memory has embeddings when every chunk has one of the model', async (storage) => {
    const draft = createNewMemory({ chunks: ['one ', 'two'] });
    const [saved] = await insert(storage, 'ann', draft);
    const [first = 0, second = 0] = saved?.chunkIds ?? [];
    const put = (model: string, chunkId: number) => storage.vectorIndex.put('ann', model, [{ chunkId, vector: unitVector(8, 1) }]);
    const pending = async (model: string) => (await storage.memories.pendingChunks('ann', model, 10)).map(({ chunkId }) => chunkId);
    equal(await pending('m'), [first, second], 'pending at first');
    await put('m', first);
    equal(await storage.memories.countEmbedded('ann', 'm'), { total: 1, withEmbeddings: 0 }, 'after one of two');
    const [rest] = await storage.memories.pendingChunks('ann', 'm', 10);
    equal([rest?.chunkId, rest?.previous, rest?.text], [second, 'one ', 'two'], 'pending with its context');
    await put('m', second);
    equal(await storage.memories.countEmbedded('ann', 'm'), { total: 1, withEmbeddings: 1 }, 'after both');
    equal(await pending('m'), [], 'pending at the end');
    equal(await storage.memories.countEmbedded('ann', 'other'), { total: 1, withEmbeddings: 0 }, 'of another model');
    equal(await storage.memories.countEmbedded('ann', null), { total: 1, withEmbeddings: 0 }, 'of none');
    equal(await pending('other'), [first, second], 'pending for another model');
  });

  check('IDX-5: a lease is held by one, and passes on when it runs out', async ({ indexingJobs }) => {
    const claims = await Promise.all(Array.from({ length: 10 }, () => indexingJobs.claim('ann', 60_000)));
    const held = claims.filter((lease) => lease !== null);
    equal(held.length, 1, 'leases at once');
    const lease = held[0] ?? { jobId: '', fence: 0 };
    equal(await indexingJobs.renew('ann', lease, -1), true, 'renewal');
    const next = await indexingJobs.claim('ann', 60_000);
    equal(next?.fence, lease.fence + 1, 'fence');
    const outcome = { status: 'completed' as const, processed: 1, remaining: 0, model: 'm', error: null };
    equal(await indexingJobs.finish('ann', lease, outcome, () => 0), null, 'a result under the lost lease');
    equal((await indexingJobs.finish('ann', next ?? lease, outcome, () => 0))?.status, 'completed', 'a result under the new one');
    equal((await indexingJobs.latest('ann'))?.processedCount, 1, 'processed');
  });

  check('IDX-2: a failed job is due again later, and no more after its last try', async ({ indexingJobs }) => {
    await indexingJobs.queue('ann', { status: 'pending', remaining: 3 });
    equal(await indexingJobs.due(10), ['ann'], 'due at once');
    const fail = async (delay: number | null) => {
      const lease = await indexingJobs.claim('ann', 60_000);
      if (lease === null) throw new Error('The lease is held.');
      equal(await indexingJobs.due(10), [], 'while it is worked on');
      const outcome = { status: 'failed' as const, processed: 0, remaining: 3, model: 'm', error: 'why' };
      let tries = 0;
      await indexingJobs.finish('ann', lease, outcome, (failures) => {
        tries = failures;
        return delay;
      });
      return tries;
    };
    equal(await fail(0), 1, 'first failure');
    equal(await indexingJobs.due(10), ['ann'], 'due after no delay');
    equal(await fail(60_000), 2, 'second failure');
    equal(await indexingJobs.due(10), [], 'due after a delay');
    equal(await fail(null), 3, 'third failure');
    equal(await indexingJobs.due(10), [], 'after the last try');
    equal((await indexingJobs.latest('ann'))?.error, 'why', 'reason');
  });
}
