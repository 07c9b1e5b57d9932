import { RecollectError } from '#core/error.js';
import type { MemoryChange, SavedMemory, SortedPlace } from '#core/ports/index.js';
import { equal } from './assert.js';
import type { Check } from './harness.js';
import { CHANGE, createNewMemory, unitVector } from './samples.js';

const noIndexing = { now: new Date(), indexing: () => null, triggersHooks: false };

/** Registers the cases for storing, listing and changing memories. */
export function checkMemories(check: Check): void {
  check(
    'IMP-1: finds several memories by their ids, except in the trash or of another user',
    async ({ memories, insert }) => {
      const drafts = Array.from({ length: 70 }, (_, at) => createNewMemory({ chunks: [`Text ${at}. `, 'More.'] }));
      const gone = createNewMemory({});
      const other = createNewMemory({});
      await insert('ann', ...drafts, gone);
      await insert('bob', other);
      await memories.trash('ann', gone.memory.id, CHANGE.now);
      const ids = [...drafts, gone, other].map(({ memory }) => memory.id);
      const found = await memories.findAll('ann', [...ids, ids[0] ?? '', 'unknown']);
      const byId = (one: { id: string }, two: { id: string }) => (one.id < two.id ? -1 : 1);
      const wanted = drafts.map(({ memory, chunks }) => ({ id: memory.id, text: chunks.join('') }));
      equal(found.map(({ id, text }) => ({ id, text })).sort(byId), wanted.sort(byId), 'each once, with its text');
      equal(await memories.findAll('ann', []), [], 'none');
    },
  );

  check('CAP-11: returns text, metadata and tags as stored', async (storage) => {
    const text = ['First 𝄞 chunk with 漢字.\n\n', 'Second <b>chunk</b>; drop table "memories"; --'];
    const draft = createNewMemory({
      chunks: text,
      metadata: { a: [1, { b: null }], 'ü"': '\u202e' },
      tags: ['x', 'y'],
    });
    const [saved] = await storage.insert('ann', draft);
    const found = await storage.memories.find('ann', draft.memory.id);
    equal(saved?.added.length, 2, 'chunks');
    equal(found?.text, text.join(''), 'text');
    equal(found?.metadata, draft.memory.metadata, 'metadata');
    equal(found?.tags, ['x', 'y'], 'tags');
  });

  check('CAP-7: stores the same content as one memory, even when ten captures arrive at once', async (storage) => {
    const drafts = Array.from({ length: 10 }, () => createNewMemory({ contentHash: 'same' }));
    const outcomes = await Promise.all(drafts.map((draft) => storage.insert('ann', draft)));
    equal(outcomes.flat().filter(({ status }) => status === 'created').length, 1, 'created');
    equal(new Set(outcomes.flat().map(({ id }) => id)).size, 1, 'ids');
    const other = await storage.insert('bob', createNewMemory({ contentHash: 'same' }));
    equal(other[0]?.status, 'created', 'the same content of another user');
  });

  check(
    'CAP-14: the same text of another file is a separate memory, whose text has its front matter',
    async (storage) => {
      const file = (fileName: string, author: string) =>
        createNewMemory({
          contentHash: 'same',
          chunks: ['## Notes'],
          metadata: { fileName, frontMatter: { author } },
          alternative: { chunks: [`author: ${author} `, '## Notes'], contentHash: `whole ${author}` },
        });
      const saved = await storage.insert('ann', file('Dune.md', 'Herbert'), file('Emma.md', 'Austen'));
      equal(
        saved.map(({ status }) => status),
        ['created', 'created'],
        'status of each',
      );
      equal((await storage.memories.find('ann', saved[0]?.id ?? ''))?.text, '## Notes', 'text of the first');
      equal(
        (await storage.memories.find('ann', saved[1]?.id ?? ''))?.text,
        'author: Austen ## Notes',
        'text of the other',
      );
      const again = await storage.insert(
        'ann',
        file('Emma.md', 'Austen'),
        file('Dune.md', 'Frank Herbert'),
        file('Copy.md', 'Herbert'),
      );
      equal(
        again.map(({ status, id }) => [status, id]),
        [1, 0, 0].map((at) => ['duplicate', saved[at]?.id]),
        'the same again, changed, and a copy',
      );
      equal(await storage.search('ann', 'austen'), [saved[1]?.id ?? ''], 'search for a property');
    },
  );

  check('CAP-7: capturing again updates the time and adds tags and note', async (storage) => {
    const first = createNewMemory({ contentHash: 'same', tags: ['a'], note: 'one' });
    const again = createNewMemory({
      contentHash: 'same',
      tags: ['b'],
      note: 'zweites',
      capturedAt: '2026-02-01T00:00:00.000Z',
    });
    await storage.insert('ann', first, again);
    const found = await storage.memories.find('ann', first.memory.id);
    equal(found?.lastCapturedAt, '2026-02-01T00:00:00.000Z', 'last captured');
    equal(found?.capturedAt, first.memory.capturedAt, 'first captured');
    equal(found?.tags, ['a', 'b'], 'tags');
    equal(found?.note, 'one\n\nzweites', 'note');
    equal(await storage.search('ann', 'zweites'), [first.memory.id], 'search for the new note');
  });

  check('CAP-8: stores an answer with the memories and replays it', async (storage) => {
    const plan = {
      ...noIndexing,
      replay: {
        key: 'k',
        requestHash: 'h',
        answer: (saved: readonly SavedMemory[]) => ({ ids: saved.map(({ id }) => id) }),
      },
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

  check('CAP-10: stores nothing when a fault occurs midway', async (storage) => {
    const plan = {
      ...noIndexing,
      indexing: () => {
        throw new Error('fault');
      },
    };
    const failed = await storage.memories
      .insert('ann', [createNewMemory({ chunks: ['lost'] })], plan)
      .catch(() => 'failed');
    equal(failed, 'failed', 'insert');
    equal(await storage.search('ann', 'lost'), [], 'index');
    equal((await storage.memories.list('ann', { limit: 10, after: null, filter: {} })).length, 0, 'memories');
  });

  check(
    'QRY-1: an empty list of hits, URLs or chunks finds nothing',
    async ({ memories, textIndex, vectorIndex, insert }) => {
      await insert('ann', createNewMemory({}));
      equal((await memories.readHits('ann', [])).size, 0, 'hits');
      equal(await memories.lookup('ann', []), [], 'URLs');
      const options = { limit: 1, filter: {}, also: [] };
      const { scores } = await textIndex.search('ann', { terms: [['text']], prefix: null }, options);
      equal(scores.size, 0, 'scores');
      const { similarities } = await vectorIndex.search('ann', 'm', new Float32Array(8), options);
      equal(similarities.size, 0, 'similarities');
    },
  );

  check('MEM-1: lists page by page, newest first', async (storage) => {
    const drafts = Array.from({ length: 5 }, (_, day) =>
      createNewMemory({ capturedAt: `2026-01-0${day + 1}T00:00:00.000Z` }),
    );
    await storage.insert('ann', ...drafts);
    const seen: string[] = [];
    let after: { key: string | number; id: string } | null = null;
    for (;;) {
      const page: { key: string | number; id: string }[] = await storage.memories.list('ann', {
        limit: 2,
        after,
        filter: {},
      });
      if (page.length === 0) break;
      seen.push(...page.map(({ id }) => id));
      after = page.at(-1) ?? null;
    }
    equal(seen, drafts.map(({ memory }) => memory.id).reverse(), 'order');
  });

  check('MEM-14: lists page by page in every order', async (storage) => {
    const [b, a, c] = [
      createNewMemory({ title: 'b', capturedAt: '2026-01-01T00:00:00.000Z', chunks: ['1', '2'] }),
      createNewMemory({ title: 'Ä', capturedAt: '2026-01-02T00:00:00.000Z' }),
      createNewMemory({ title: 'c', capturedAt: '2026-01-03T00:00:00.000Z', chunks: ['1', '2', '3'] }),
    ];
    await storage.insert('ann', b, a, c);
    await storage.memories.update('ann', a.memory.id, { openedAt: '2026-02-01T00:00:00.000Z' }, CHANGE);
    const orders = { newest: [c, a, b], oldest: [b, a, c], opened: [a, c, b], title: [a, b, c], longest: [c, b, a] };
    for (const [sort, expected] of Object.entries(orders)) {
      const seen: string[] = [];
      for (let after: SortedPlace | null = null; ; ) {
        const page: SortedPlace[] = await storage.memories.list('ann', {
          limit: 1,
          after,
          filter: {},
          sort: sort as keyof typeof orders,
        });
        after = page.at(-1) ?? null;
        if (after === null) break;
        seen.push(after.id);
      }
      equal(
        seen,
        expected.map(({ memory }) => memory.id),
        sort,
      );
    }
  });

  check('MEM-14: a star and a read state change no content, and progress enters no history', async (storage) => {
    const draft = createNewMemory({ chunks: ['tea'] });
    const { id, updatedAt } = draft.memory;
    await storage.insert('ann', draft);
    const changeMark = { changeId: 'change', actor: null };
    const change = async (changes: MemoryChange) => {
      const updated = await storage.memories.update('ann', id, changes, { ...CHANGE, changeMark });
      return updated === null || updated === 'duplicate' ? updated : updated.fields;
    };
    equal(await change({ progress: 0.5, openedAt: CHANGE.now }), [], 'only progress');
    equal(await change({ starred: true }), ['starred'], 'star');
    equal(await change({ readState: 'read', progress: 1 }), ['readState', 'progress'], 'read');
    equal(await change({ starred: true, readState: 'read' }), [], 'the same again');
    const [read, star] = await storage.history.ofMemory('ann', id, 10);
    equal(read?.before, { readState: 'unread', progress: 0.5 }, 'the values before it was read');
    equal(star?.before, { starred: false }, 'the value before the star');
    const stored = await storage.memories.find('ann', id);
    equal(
      [stored?.starred, stored?.readState, stored?.progress, stored?.openedAt, stored?.updatedAt, stored?.isDamaged],
      [true, 'read', 1, CHANGE.now, updatedAt, false],
      'stored',
    );
  });

  check('MEM-18: a move changes no content, enters the history, and a recapture does not move', async (storage) => {
    const draft = createNewMemory({ chunks: ['tea'] });
    const { id, updatedAt } = draft.memory;
    await storage.insert('ann', draft);
    const changeMark = { changeId: 'change', actor: null };
    const updated = await storage.memories.update('ann', id, { place: 'later' }, { ...CHANGE, changeMark });
    equal(updated, { fields: ['place'], indexingJobId: null }, 'moved');
    const [entry] = await storage.history.ofMemory('ann', id, 10);
    equal(entry?.before, { place: 'inbox' }, 'the place before');
    const stored = await storage.memories.find('ann', id);
    equal([stored?.place, stored?.updatedAt, stored?.isDamaged], ['later', updatedAt, false], 'stored');
    await storage.insert('ann', draft);
    equal((await storage.memories.find('ann', id))?.place, 'later', 'captured again');
  });

  check(
    'CAP-7: merges tags and notes of two captures, and rejects them beyond the limit instead of truncating',
    async (storage) => {
      const tags = (letter: string) => Array.from({ length: 60 }, (_, at) => `${letter}${at}`);
      const save = (given: { tags?: string[]; note?: string }) =>
        storage.insert('ann', createNewMemory({ contentHash: 'same', ...given }));
      const refusal = (work: Promise<unknown>) =>
        work.then(
          () => 'stored',
          (error) =>
            error instanceof RecollectError ? error.errors.map(({ pointer }) => pointer).join() : String(error),
        );
      const [saved] = await save({ tags: tags('a'), note: 'Bobsled' });
      const find = () => storage.memories.find('ann', saved?.id ?? '');
      await save({ note: 'Bob' });
      await save({ note: 'Bob' });
      equal((await find())?.note, 'Bobsled\n\nBob', 'a note that is part of the stored note');
      equal(await refusal(save({ tags: tags('b') })), '/0/tags', 'too many tags');
      equal(await refusal(save({ note: 'n'.repeat(19_999) })), '/0/note', 'a note that is too long');
      equal((await find())?.tags, tags('a'), 'tags');
      equal((await find())?.note, 'Bobsled\n\nBob', 'note');
    },
  );

  check('MEM-1: updates every index when title, tags and note change', async (storage) => {
    const draft = createNewMemory({ title: 'Old', chunks: ['body'], tags: ['a'] });
    const [saved] = await storage.insert('ann', draft);
    await storage.embed('ann', 'm', saved, unitVector(8, 1));
    equal(await storage.memories.hasEmbeddings('ann', 'm', draft.memory.id), true, 'embedded');
    const change = { title: 'Fresh', tags: ['b'], note: 'remark' };
    equal(
      await storage.memories.update('ann', draft.memory.id, change, CHANGE),
      { fields: ['title', 'tags', 'note'], indexingJobId: (await storage.indexingJobs.latest('ann'))?.id },
      'update',
    );
    equal(await storage.memories.update('ann', 'unknown', change, CHANGE), null, 'unknown');
    equal(await storage.search('ann', 'old'), [], 'old title');
    for (const word of ['fresh', 'remark', 'b', 'body'])
      equal(await storage.search('ann', word), [draft.memory.id], word);
    equal(await storage.search('ann', 'body', { tag: 'a' }), [], 'old tag');
    equal(await storage.memories.hasEmbeddings('ann', 'm', draft.memory.id), false, 'embeddings after a new title');
  });

  check('MEM-3: looks up URLs by their key and returns the newest memory', async (storage) => {
    const older = createNewMemory({ url: 'https://a.example/x', capturedAt: '2026-01-01T00:00:00.000Z' });
    const newer = createNewMemory({ url: 'https://a.example/x', capturedAt: '2026-01-02T00:00:00.000Z' });
    await storage.insert('ann', newer, older);
    const found = await storage.memories.lookup('ann', ['https://a.example/x', 'https://b.example/']);
    equal(
      found.map(({ id, urlKey }) => [id, urlKey]),
      [[newer.memory.id, 'https://a.example/x']],
      'found',
    );
    const later = createNewMemory({ url: 'https://a.example/x', capturedAt: '2026-01-02T00:00:00.000Z' });
    await storage.insert('ann', later);
    equal((await storage.memories.lookup('ann', ['https://a.example/x']))[0]?.id, later.memory.id, 'of the same time');
  });
}
