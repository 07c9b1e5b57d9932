import type { TextQuery } from '#core/ports/index.js';
import { equal, ok } from './assert.js';
import type { Check } from './harness.js';
import { RANKING } from './rank-separately.js';
import { CHANGE, createNewMemory, unitVector } from './samples.js';

const everything = { limit: 50, filter: {} };

/** Registers the cases for full-text search. */
export function checkTextSearch(check: Check): void {
  check('QRY-3: finds words across forms, case and accents, and within CJK text', async (storage) => {
    const draft = createNewMemory({
      title: 'Reisebericht',
      chunks: ['The runners were RUNNING past the Café in 東京都.'],
    });
    await storage.insert('ann', draft);
    for (const word of ['run', 'cafe', 'CAFÉ'.toLowerCase(), 'reisebericht', '京']) {
      equal(await storage.search('ann', word), [draft.memory.id], word);
    }
    const accented = createNewMemory({ chunks: ['Ещё ёлка, Αθήνα, שָׁלוֹם, الكاتِبُ and a Donau\u00addampf\u00adschiff.'] });
    await storage.insert('ann', accented);
    for (const word of ['елка', 'еще', 'αθηνα', 'שלום', 'الكاتب', 'donaudampfschiff'])
      equal(await storage.search('ann', word), [accented.memory.id], word);
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

  check('QRY-20: a page is found by its author, its site and the words of its address', async (storage) => {
    const read = createNewMemory({
      title: 'Notes',
      url: 'https://lwn.test/articles/kernel-scheduler?ref=feed',
      page: { author: 'Ada Quill', siteName: 'The Evening Post' },
      chunks: ['First.', 'Second.'],
    });
    const own = createNewMemory({ metadata: { author: 'Bert Reed', siteName: 'Marsh Weekly' } });
    await storage.insert('ann', read, own);
    const found = async (word: string) => storage.search('ann', word);
    for (const word of ['quill', 'evening', 'lwn', 'scheduler'])
      equal(await found(word), [read.memory.id], `search for ${word}`);
    for (const word of ['reed', 'marsh']) equal(await found(word), [own.memory.id], `search for ${word}`);
    equal(await found('feed'), [], 'search for words after the question mark');
    const given = { metadata: { author: 'Cleo Fenn' } };
    await storage.memories.update('ann', own.memory.id, given, CHANGE);
    equal([await found('reed'), await found('fenn')], [[], [own.memory.id]], 'search after a change of the author');
  });

  check('QRY-14: a word that no text has is corrected to the nearest that one has', async (storage) => {
    const text =
      'Agnieszka Kowalczyk watches the waggle dance. Straßenreinigung in Łódź, recently received garden bees.';
    const draft = createNewMemory({ title: 'Apiculture notes', chunks: [text], note: 'borrowed binoculars' });
    await storage.insert('ann', draft);
    await storage.insert('bob', createNewMemory({ chunks: ['hornets and their Kowalczik'] }));
    const nearest = (words: string[], prefix: string | null = null) =>
      storage.textIndex.nearestWords('ann', { words, beside: [], prefix });
    const typed = ['kowalczik', 'wagle', 'strasenreinigung', 'recieved', 'apicultre', 'binoclars', 'gaggle', 'hornetz'];
    const meant = ['kowalczyk', 'waggle', 'straßenreinigung', 'received', 'apiculture', 'binoculars', 'waggle', null];
    equal(await nearest(typed), meant, 'mistyped words');
    equal(await nearest(['dance', 'dances', 'watching']), [null, null, null], 'words of the text, and their forms');
    equal(
      await nearest(['kowalcz', 'kowalxz'], 'kowalcz'),
      [null, null],
      'an unfinished word, and two mistakes in seven letters',
    );
    equal(await nearest(['zxcvasdf']), [null], 'nonsense');
    for (const chunk of ['compat', 'a compat table', 'compost heap'])
      await storage.insert('ann', createNewMemory({ chunks: [chunk] }));
    equal(
      await nearest(['compst']),
      ['compost'],
      'a letter that was left out, rather than a wrong one in a commoner word',
    );
    await storage.memories.trash('ann', draft.memory.id, CHANGE.now);
    equal(await nearest(['wagle']), [null], 'a word of a deleted text');
    for (let last: number | null = 0; last !== null; ) last = await storage.textIndex.forgetWords(last);
    await storage.memories.restore('ann', draft.memory.id, CHANGE);
    equal(await nearest(['wagle']), ['waggle'], 'a word of a restored text');
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
    await storage.insert('ann', createNewMemory({ title: 'Title', chunks: ['text'] }));
    const scope = '616e6e';
    for (const prefix of [scope, `u${scope}`, scope.slice(0, 2), 'u6']) {
      const { hits } = await storage.textIndex.search('ann', { terms: [[prefix]], prefix }, everything);
      equal(hits, [], prefix);
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

  check('QRY-14: says which terms no text of the user has, also after the last such text is gone', async (storage) => {
    const drafts = ['apple pie', 'apples', 'pears'].map((text) => createNewMemory({ chunks: [text] }));
    await storage.insert('ann', ...drafts);
    await storage.insert('bob', createNewMemory({ chunks: ['unheard'] }));
    const absent = async (...words: string[]) =>
      (await storage.textIndex.search('ann', { terms: words.map((word) => [word]), prefix: null }, everything)).absent;
    equal(await absent('apple', 'unheard', 'pie', 'pear'), [1], 'with a text of somebody else');
    await storage.memories.trash('ann', drafts[0]?.memory.id ?? '', '2026-07-01T00:00:00.000Z');
    equal(await absent('apple', 'unheard', 'pie'), [1, 2], 'after the text is in the trash');
  });

  check(
    'QRY-12: finds only memories with a phrase, and none with an excluded word, in either index',
    async (storage) => {
      const drafts = ['the waggle dance of bees', 'a dance that bees waggle', 'bees make honey'].map((text, at) =>
        createNewMemory({ chunks: at === 2 ? [text, 'and some do a waggle dance'] : [text] }),
      );
      const saved = await storage.insert('ann', ...drafts);
      await storage.insert('bob', createNewMemory({ chunks: ['the waggle dance of others'] }));
      for (const memory of saved) {
        const embeddings = memory.added.map(({ chunkId }) => ({
          chunkId,
          title: memory.title,
          vector: unitVector(8, 1),
        }));
        await storage.memories.saveEmbeddings('ann', 'm', embeddings);
      }
      const [dance, other, honey] = drafts.map(({ memory }) => memory.id);
      const find = async (more: Partial<Pick<TextQuery, 'phrases' | 'excluded'>>) => {
        const embedded = { modelId: 'm', vector: unitVector(8, 1), ...RANKING };
        const byWords = { terms: { terms: [['bees']], prefix: null, ...more }, embedded: null };
        const byVector = { terms: { terms: [['absent']], prefix: null, ...more }, embedded };
        const found = [byWords, byVector].map((query) => storage.hybridIndex.search('ann', query, everything));
        return (await Promise.all(found)).map(({ hits }) => hits.map(({ memoryId }) => memoryId).sort());
      };
      const sorted = (...ids: (string | undefined)[]) => [...ids].sort();
      equal(await find({}), [sorted(dance, other, honey), sorted(dance, other, honey)], 'without any');
      equal(await find({ phrases: [['waggle', 'dance']] }), [sorted(dance, honey), sorted(dance, honey)], 'a phrase');
      equal(await find({ phrases: [['dance', 'waggle']] }), [[], []], 'a phrase in another order');
      equal(await find({ excluded: [['honey']] }), [sorted(dance, other), sorted(dance, other)], 'without a word');
      const both = { phrases: [['waggle', 'dance']], excluded: [['honey'], ['make', 'tea']] };
      equal(await find(both), [[dance], [dance]], 'both');
    },
  );

  check('retrieval: ranks by common words too, and finds rows with rarer words among very many', async (storage) => {
    const drafts = Array.from({ length: 2_300 }, (_, at) =>
      createNewMemory({ chunks: [`common ${at % 8 === 0 ? 'rare' : 'other'} ${at === 800 ? 'pearl' : ''}`] }),
    );
    for (let at = 0; at < drafts.length; at += 100) await storage.insert('ann', ...drafts.slice(at, at + 100));
    const query = { terms: [['common'], ['rare'], ['pearl']], prefix: null };
    const { hits } = await storage.textIndex.search('ann', query, everything);
    equal([hits[0]?.memoryId, hits.length], [drafts[800]?.memory.id, 50], 'hits, rarest word first');
    const few = await storage.textIndex.search('ann', { terms: [['common'], ['pearl']], prefix: null }, everything);
    equal(few.hits.length, 50, 'hits when the rare words have too few');
    const filtered = await storage.textIndex.search('ann', query, {
      limit: 50,
      filter: { since: '2026-01-01T00:00:00.000Z' },
    });
    equal(filtered.hits.length, 50, 'within a filter');
    let steps = 0;
    while (await storage.textIndex.merge()) steps++;
    ok(steps < 100, 'merging ends');
    equal((await storage.textIndex.search('ann', query, everything)).hits, hits, 'hits after merging');
  });

  check('retrieval: two forms of a word in a query count as two words', async (storage) => {
    const texts = ['a library of old books', 'tea', 'bees', 'a lamp', 'a boat', 'rain'];
    await storage.insert('ann', ...texts.map((text) => createNewMemory({ chunks: [text] })));
    const search = (...words: string[]) =>
      storage.textIndex.search('ann', { terms: words.map((word) => [word]), prefix: null }, everything);
    const [one, two] = [await search('library'), await search('library', 'libraries')];
    equal([one.hits.length, two.hits.length], [1, 1], 'hits');
    ok(Math.abs(two.fullScore - 2 * one.fullScore) < 1e-9, 'full score');
    ok(Math.abs((two.hits[0]?.score ?? 0) - 2 * (one.hits[0]?.score ?? 0)) < 1e-9, 'score');
  });

  check('retrieval: returns the same scores for given chunks as the search', async (storage) => {
    const saved = await storage.insert(
      'ann',
      createNewMemory({ chunks: ['apple pie', 'apple'] }),
      createNewMemory({ chunks: ['pear'] }),
    );
    const query = { terms: [['apple'], ['pie']], prefix: null };
    const { hits } = await storage.textIndex.search('ann', query, everything);
    const { scores } = await storage.textIndex.search('ann', query, {
      ...everything,
      also: saved.flatMap(({ added }) => added.map(({ chunkId }) => chunkId)),
    });
    equal(hits.length, 2, 'hits');
    ok(
      hits.every(({ score }) => score > 0),
      'scores are above 0',
    );
    equal([...scores].sort(), hits.map(({ chunkId, score }) => [chunkId, score]).sort(), 'scores');
  });
}
