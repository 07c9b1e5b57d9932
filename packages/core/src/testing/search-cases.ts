import type { MemoryFilter } from '../memory.js';
import { equal, ok } from './assert.js';
import type { Check } from './harness.js';
import { createNewMemory, unitVector } from './samples.js';

const everything = { limit: 50, filter: {} };

/** Registers the cases for full-text and vector search. */
export function checkSearch(check: Check): void {
  check("QRY-7: a search returns only the user's own memories", async (storage) => {
    const mine = createNewMemory({ chunks: ['shared word'] });
    const theirs = createNewMemory({ chunks: ['shared word'] });
    const [saved] = await storage.insert('ann', mine);
    const [other] = await storage.insert("bob' or 1=1 --", theirs);
    equal(await storage.search('ann', 'shared'), [mine.memory.id], 'text');
    const vector = unitVector(8, 1);
    await storage.embed('ann', 'm', saved, vector);
    await storage.embed("bob' or 1=1 --", 'm', other, vector);
    const hits = await storage.vectorIndex.search('ann', 'm', vector, everything);
    equal(
      hits.map(({ memoryId }) => memoryId),
      [mine.memory.id],
      'vectors',
    );
    await storage.embed('ann', 'm', other, vector);
    equal(
      (await storage.vectorIndex.search('ann', 'm', vector, everything)).length,
      1,
      "another user's chunk is not added",
    );
  });

  check("MCP-1: completes ids by prefix, newest first, among the user's live memories", async (storage) => {
    const old = createNewMemory({ capturedAt: '2020-01-01T00:00:00.000Z' });
    const fresh = createNewMemory({ capturedAt: '2020-01-01T00:00:01.000Z' });
    const gone = createNewMemory({ capturedAt: '2020-01-01T00:00:02.000Z' });
    const later = createNewMemory({ capturedAt: '2026-01-01T00:00:00.000Z' });
    await storage.insert('ann', old, later, gone, fresh);
    await storage.insert('bob', createNewMemory({ capturedAt: '2020-01-01T00:00:00.000Z' }));
    await storage.memories.trash('ann', gone.memory.id, '2026-01-02T00:00:00.000Z');
    const beginning = old.memory.id.slice(0, 8);
    const both = [fresh.memory.id, old.memory.id];
    equal(await storage.memories.idsWithPrefix('ann', beginning, 10), both, 'ids with the prefix');
    equal(
      await storage.memories.idsWithPrefix('ann', '', 1),
      [later.memory.id],
      'ids with an empty prefix, newest first',
    );
    equal(await storage.memories.idsWithPrefix('ann', old.memory.id, 10), [old.memory.id], 'a complete id');
    equal(await storage.memories.idsWithPrefix('ann', "%' or 1=1 --", 10), [], 'ids for SQL as a prefix');
  });

  check('QRY-3: finds words across forms, case and accents, and within CJK text', async (storage) => {
    const draft = createNewMemory({
      title: 'Reisebericht',
      chunks: ['The runners were RUNNING past the Café in 東京都.'],
    });
    await storage.insert('ann', draft);
    for (const word of ['run', 'cafe', 'CAFÉ'.toLowerCase(), 'reisebericht', '京']) {
      equal(await storage.search('ann', word), [draft.memory.id], word);
    }
    const phrase = {
      terms: [
        ['東', '京'],
        ['大', '阪'],
      ],
      prefix: null,
    };
    equal((await storage.textIndex.search('ann', phrase, everything)).hits.length, 1, 'one of two pairs');
    equal(
      (await storage.textIndex.search('ann', { terms: [['京', '東']], prefix: null }, everything)).hits.length,
      0,
      'in reverse order',
    );
  });

  check('QRY-3: finds an unfinished last word, even one longer than its stem', async (storage) => {
    const draft = createNewMemory({ chunks: ['Photosynthesis while running.'] });
    await storage.insert('ann', draft);
    for (const prefix of ['photosyn', 'runn', 'runnin']) {
      const { hits } = await storage.textIndex.search('ann', { terms: [[prefix]], prefix }, everything);
      equal(hits.length, 1, prefix);
    }
  });

  check('QRY-7: no word matches the internal user marker of a row', async (storage) => {
    await storage.insert('ann', createNewMemory({ chunks: ['text'] }));
    const scope = '616e6e';
    for (const prefix of [scope, `u${scope}`, scope.slice(0, 2), 'u6']) {
      const { hits } = await storage.textIndex.search('ann', { terms: [[prefix]], prefix }, everything);
      equal(hits, [], prefix);
    }
  });

  check('QRY-8: applies filters to full text, vectors and lists', async (storage) => {
    const page = createNewMemory({
      chunks: ['word'],
      url: 'https://docs.site.example/a',
      tags: ['t'],
      capturedAt: '2026-01-01T00:00:00.000Z',
    });
    const note = createNewMemory({ chunks: ['word'], capturedAt: '2026-01-20T00:00:00.000Z' });
    const saved = await storage.insert('ann', page, note);
    const vector = unitVector(8, 1);
    for (const memory of saved) await storage.embed('ann', 'm', memory, vector);
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
      equal(await storage.search('ann', 'word', filter), expected, `text ${name}`);
      const near = await storage.vectorIndex.search('ann', 'm', vector, { limit: 50, filter });
      equal(
        near.map(({ memoryId }) => memoryId),
        expected,
        `vectors ${name}`,
      );
      const listed = await storage.memories.list('ann', { limit: 50, after: null, filter });
      equal(
        listed.map(({ id }) => id),
        expected,
        `list ${name}`,
      );
    }
  });

  check('retrieval: reports how much of a query occurs in the texts', async (storage) => {
    await storage.insert('ann', createNewMemory({ chunks: ['apple pie'] }), createNewMemory({ chunks: ['apple'] }));
    await storage.insert('bob', createNewMemory({ chunks: ['unheard'] }));
    const coverage = async (...words: string[]) =>
      (await storage.textIndex.search('ann', { terms: words.map((word) => [word]), prefix: null }, everything))
        .coverage;
    equal(await coverage('apple', 'pie'), 1, 'coverage when all words occur');
    equal(await coverage('unheard'), 0, 'coverage when no word occurs');
    const some = await coverage('apple', 'unheard');
    ok(some > 0 && some < 0.5, 'coverage when only a common word occurs');
    await storage.insert('ann', createNewMemory({ chunks: ['unheard'] }));
    equal(await coverage('apple', 'unheard'), 1, 'coverage after the other word is captured');
  });

  check('retrieval: ranks by common words too, and finds rows with rarer words among very many', async (storage) => {
    const drafts = Array.from({ length: 2_300 }, (_, at) =>
      createNewMemory({ chunks: [`common ${at % 8 === 0 ? 'rare' : 'other'} ${at === 800 ? 'pearl' : ''}`] }),
    );
    for (let at = 0; at < drafts.length; at += 100) await storage.insert('ann', ...drafts.slice(at, at + 100));
    const query = { terms: [['common'], ['rare'], ['pearl']], prefix: null };
    const { hits, isComplete } = await storage.textIndex.search('ann', query, everything);
    equal([hits[0]?.memoryId, isComplete, hits.length], [drafts[800]?.memory.id, false, 50], 'hits, rarest word first');
    const few = await storage.textIndex.search('ann', { terms: [['common'], ['pearl']], prefix: null }, everything);
    equal(few.hits.length, 50, 'hits when the rare words have too few');
    const filtered = await storage.textIndex.search('ann', query, {
      limit: 50,
      filter: { since: '2026-01-01T00:00:00.000Z' },
    });
    equal(filtered.hits.length, 50, 'within a filter');
  });

  check('retrieval: returns the same scores for given chunks as the search', async (storage) => {
    const saved = await storage.insert(
      'ann',
      createNewMemory({ chunks: ['apple pie', 'apple'] }),
      createNewMemory({ chunks: ['pear'] }),
    );
    const query = { terms: [['apple'], ['pie']], prefix: null };
    const { hits } = await storage.textIndex.search('ann', query, everything);
    const scores = await storage.textIndex.scores(
      'ann',
      query,
      saved.flatMap(({ added }) => added.map(({ chunkId }) => chunkId)),
    );
    equal(hits.length, 2, 'hits');
    ok(
      hits.every(({ score }) => score > 0),
      'scores are above 0',
    );
    equal([...scores].sort(), hits.map(({ chunkId, score }) => [chunkId, score]).sort(), 'scores');
  });

  check('retrieval: returns the nearest vectors first, with their cosines', async (storage) => {
    const saved = await storage.insert('ann', createNewMemory({}), createNewMemory({}), createNewMemory({}));
    const ids = saved.map(({ added }) => added[0]?.chunkId ?? 0);
    const vectors = [unitVector(16, 0), unitVector(16, 0, 1), unitVector(16, 5)];
    for (const [at, memory] of saved.entries()) await storage.embed('ann', 'm', memory, vectors[at]);
    const hits = await storage.vectorIndex.search('ann', 'm', unitVector(16, 0), everything);
    equal(
      hits.map(({ chunkId }) => chunkId),
      ids,
      'order',
    );
    const expected = [1, Math.SQRT1_2, 0];
    for (const [at, hit] of hits.entries()) ok(Math.abs(hit.similarity - (expected[at] ?? 0)) < 0.02, `cosine ${at}`);
    const again = await storage.vectorIndex.similarities('ann', 'm', unitVector(16, 0), ids);
    equal([...again].sort(), hits.map(({ chunkId, similarity }) => [chunkId, similarity]).sort(), 'similarities');
    equal((await storage.vectorIndex.search('ann', 'other', unitVector(16, 0), everything)).length, 0, 'another model');
    equal((await storage.vectorIndex.search('ann', 'm', unitVector(8, 0), everything)).length, 0, 'another dimension');
  });

  check('retrieval: rejects vectors with a wrong dimension or non-finite numbers', async (storage) => {
    const [saved] = await storage.insert('ann', createNewMemory({}));
    await storage.embed('ann', 'm', saved, unitVector(8, 0));
    for (const vector of [unitVector(4, 0), new Float32Array(8).fill(Number.NaN)]) {
      const outcome = await storage.embed('ann', 'm', saved, vector).catch(() => 'refused');
      equal(outcome, 'refused', `${vector.length} dimensions`);
    }
  });

  check('retrieval: computes the centre of a memory from its chunks, and counts words', async (storage) => {
    const [memory, other] = await storage.insert(
      'ann',
      createNewMemory({ chunks: ['tea and water ', 'tea leaves'] }),
      createNewMemory({ chunks: ['bees'] }),
    );
    await storage.embed('ann', 'm', memory, unitVector(8, 0));
    const [first = 0, second = 0] = memory?.added.map(({ chunkId }) => chunkId) ?? [];
    const put = (chunkId: number, axis: number) =>
      storage.memories.saveEmbeddings('ann', 'm', [
        { chunkId, title: memory?.title ?? '', vector: unitVector(8, axis) },
      ]);
    await put(first, 1);
    await put(second, 2);
    const centre = await storage.vectorIndex.centre('ann', 'm', memory?.id ?? '');
    equal(
      [...(centre ?? [])].map((component) => component.toFixed(2)).slice(0, 4),
      ['0.00', '0.71', '0.71', '0.00'],
      'centre',
    );
    equal(await storage.vectorIndex.centre('ann', 'm', other?.id ?? ''), null, 'without embeddings');
    equal(await storage.vectorIndex.centre('ann', 'n', memory?.id ?? ''), null, 'of another model');
    equal(await storage.vectorIndex.centre('bob', 'm', memory?.id ?? ''), null, 'of another user');
    const { counts, total } = await storage.textIndex.frequencies('ann', [
      ['tea'],
      ['bees'],
      ['nothing'],
      ['tea', 'leaves'],
    ]);
    equal([counts, total], [[2, 1, 0, 1], 3], 'frequencies');
  });
}
