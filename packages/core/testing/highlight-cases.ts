import type { StoredHighlight } from '#core/ports/index.js';
import { equal } from './assert.js';
import type { Check, Harness } from './harness.js';
import { CHANGE, createNewMemory } from './samples.js';

const everything = { memoryId: null, words: [], limit: 50, after: null };

function highlightOf(id: string, memoryId: string, given: Partial<StoredHighlight> = {}): StoredHighlight {
  const { quote = 'a passage', note = null, colour = 'yellow', createdAt = CHANGE.now } = given;
  const folded = `${quote}\n${note ?? ''}`.toLowerCase();
  const around = { prefix: '', suffix: '' };
  return { id, memoryId, quote, ...around, note, colour, folded, createdAt, updatedAt: createdAt, ...given };
}

async function memoryOf(
  storage: Harness,
  userId: string,
  title = 'Memory',
  url: string | null = null,
): Promise<string> {
  const draft = createNewMemory({ title, url });
  await storage.insert(userId, draft);
  return draft.memory.id;
}

/** Registers the cases for highlights. */
export function checkHighlights(check: Check): void {
  check('HLT-1: stores a highlight and returns it with the title of its memory', async (storage) => {
    const { highlights, memories } = storage;
    const memoryId = await memoryOf(storage, 'ann', 'Tea');
    const { folded: _, ...shown } = highlightOf('h', memoryId, {
      quote: 'Grüner "Tee" 漢字 %_\\',
      prefix: 'vor ',
      suffix: ' nach',
      note: 'ja',
    });
    equal(await highlights.insert('ann', { ...shown, folded: 'x' }, 9), 'stored', 'outcome');
    equal(
      Object.entries((await highlights.find('ann', 'h')) ?? {}).sort(),
      Object.entries({
        ...shown,
        title: 'Tea',
        url: null,
        sourceType: 'note',
        reviewedAt: null,
        dismissed: false,
      }).sort(),
      'found',
    );
    await memories.update('ann', memoryId, { title: 'Coffee' }, CHANGE);
    equal((await highlights.find('ann', 'h'))?.title, 'Coffee', 'title after a change');
  });

  check('HLT-1: rejects a highlight of an unknown or deleted memory, and more than the limit', async (storage) => {
    const { highlights, memories } = storage;
    const memoryId = await memoryOf(storage, 'ann');
    equal(await highlights.insert('ann', highlightOf('h0', 'unknown'), 9), 'unknown', 'unknown');
    equal(await highlights.insert('bob', highlightOf('h0', memoryId), 9), 'unknown', "another user's memory");
    const outcomes = await Promise.all(
      ['h1', 'h2', 'h3'].map((id) => highlights.insert('ann', highlightOf(id, memoryId), 2)),
    );
    equal(outcomes.sort(), ['full', 'stored', 'stored'], 'three at once where two are allowed');
    await memories.trash('ann', memoryId, CHANGE.now);
    equal(await highlights.insert('ann', highlightOf('h4', memoryId), 9), 'unknown', 'in the trash');
  });

  check('HLT-2: changes and removes only the own highlights', async (storage) => {
    const { highlights } = storage;
    await highlights.insert('ann', highlightOf('h', await memoryOf(storage, 'ann')), 9);
    const change = { note: 'New', folded: 'a passage new', now: '2026-02-02T00:00:00.000Z' };
    equal(await highlights.update('bob', 'h', change), false, "another user's change");
    equal(await highlights.remove('bob', 'h'), false, "another user's delete");
    equal(await highlights.find('bob', 'h'), null, "another user's find");
    equal(await highlights.list('bob', everything), [], "another user's list");
    equal(await highlights.update('ann', 'h', change), true, 'change');
    const found = await highlights.find('ann', 'h');
    equal([found?.note, found?.updatedAt, found?.createdAt], ['New', change.now, CHANGE.now], 'found');
    equal((await highlights.list('ann', { ...everything, words: ['new'] })).length, 1, 'the new note is searched');
    equal(await highlights.remove('ann', 'h'), true, 'delete');
    equal(await highlights.remove('ann', 'h'), false, 'deleting twice');
    equal(await highlights.update('ann', 'h', change), false, 'changing a deleted highlight');
  });

  check('HLT-3: lists page by page, newest first, of one memory or of all', async (storage) => {
    const { highlights } = storage;
    const [one, two] = [await memoryOf(storage, 'ann'), await memoryOf(storage, 'ann')];
    for (let at = 0; at < 5; at++) {
      const createdAt = new Date(Date.parse(CHANGE.now) + Math.floor(at / 2) * 1_000).toISOString();
      await highlights.insert('ann', highlightOf(`h${at}`, at === 3 ? two : one, { createdAt }), 9);
    }
    const seen: string[] = [];
    let after: { createdAt: string; id: string } | null = null;
    for (let page = 0; page < 9; page++) {
      const listed: { createdAt: string; id: string }[] = await highlights.list('ann', {
        ...everything,
        limit: 2,
        after,
      });
      seen.push(...listed.map(({ id }) => id));
      const last = listed.at(-1);
      if (last === undefined) break;
      after = { createdAt: last.createdAt, id: last.id };
    }
    equal(seen, ['h4', 'h3', 'h2', 'h1', 'h0'], 'order');
    const ofTwo = await highlights.list('ann', { ...everything, memoryId: two });
    equal(
      ofTwo.map(({ id }) => id),
      ['h3'],
      'of one memory',
    );
  });

  check('MEM-3: finds the highlights of all live memories of a page', async (storage) => {
    const { highlights, memories } = storage;
    const url = 'https://a.example/tea';
    const [old, recent, other, trashed] = [
      await memoryOf(storage, 'ann', 'Old', url),
      await memoryOf(storage, 'ann', 'New', url),
      await memoryOf(storage, 'ann', 'Other', `${url}/other`),
      await memoryOf(storage, 'ann', 'Gone', url),
    ];
    for (const [id, memoryId] of Object.entries({ old, recent, other, trashed }))
      await highlights.insert('ann', highlightOf(id, memoryId), 9);
    await memories.trash('ann', trashed, CHANGE.now);
    const found = async (userId: string, keys: readonly string[], limit = 9) =>
      (await highlights.onPages(userId, keys, limit)).map(({ id, urlKey }) => [id, urlKey]).sort();
    equal(
      await found('ann', [url]),
      [
        ['old', url],
        ['recent', url],
      ],
      'of one page',
    );
    equal((await found('ann', [url, `${url}/other`])).length, 3, 'of two pages');
    equal((await found('ann', [url], 1)).length, 1, 'limit');
    equal(await found('ann', []), [], 'no page');
    equal(await found('bob', [url]), [], "another user's");
  });

  check('HLT-3: finds highlights that contain all words, and does not treat words as patterns', async (storage) => {
    const { highlights } = storage;
    const memoryId = await memoryOf(storage, 'ann');
    await highlights.insert('ann', highlightOf('h1', memoryId, { quote: '100% green_tea \\o/', note: 'For later' }), 9);
    await highlights.insert('ann', highlightOf('h2', memoryId, { quote: 'green coffee' }), 9);
    const found = async (...words: string[]) =>
      (await highlights.list('ann', { ...everything, words })).map(({ id }) => id).sort();
    equal(await found('green'), ['h1', 'h2'], 'one word');
    equal(await found('green', 'later'), ['h1'], 'a word of the passage and one of the note');
    equal(await found('green', 'absent'), [], 'one word is missing');
    for (const word of ['100%', 'green_tea', '\\o/']) equal(await found(word), ['h1'], word);
    for (const word of ['g%n', 'green_coffee', '%', '_']) {
      equal(await found(word), word.length === 1 ? ['h1'] : [], `${word} is not a pattern`);
    }
  });

  check('HLT-5: keeps the colour of a highlight, and changes it without the note', async (storage) => {
    const { highlights } = storage;
    const memoryId = await memoryOf(storage, 'ann');
    await highlights.insert('ann', highlightOf('h', memoryId, { colour: 'pink', note: 'Mine' }), 9);
    equal((await highlights.find('ann', 'h'))?.colour, 'pink', 'colour');
    equal(await highlights.update('ann', 'h', { colour: 'blue', now: CHANGE.now }), true, 'change');
    const found = await highlights.find('ann', 'h');
    equal([found?.colour, found?.note], ['blue', 'Mine'], 'found');
    equal((await highlights.list('ann', { ...everything, words: ['mine'] })).length, 1, 'the note is still searched');
  });

  check(
    'HLT-6: offers the longest unseen first, and keeps the order of a day through its decisions',
    async (storage) => {
      const { highlights, memories } = storage;
      const [one, two] = [await memoryOf(storage, 'ann'), await memoryOf(storage, 'ann')];
      const day = (number: number) => `2026-03-0${number}T00:00:00.000Z`;
      for (const [id, memoryId, at] of [
        ['a', one, 1],
        ['b', two, 2],
        ['c', one, 3],
        ['d', one, 5],
      ] as const)
        await highlights.insert('ann', highlightOf(id, memoryId, { createdAt: day(at) }), 9);
      const order = async (since: string, limit = 9) =>
        (await highlights.reviewable('ann', since, limit)).map(({ id }) => id);
      const decide = (id: string, decision: 'keep' | 'dismiss' | null, since: string, userId = 'ann') =>
        highlights.review(userId, id, { decision, since, now: since.replace('T00', 'T10') });
      equal(await order(day(4)), ['a', 'b', 'c'], 'before the first review, without the highlight of a later day');
      equal(await decide('a', 'keep', day(4), 'bob'), false, "another user's decision");
      equal(await highlights.reviewable('bob', day(4), 9), [], "another user's review");
      equal(await decide('a', 'keep', day(4)), true, 'keep');
      equal(await decide('b', 'dismiss', day(4)), true, 'dismiss');
      equal(await order(day(4)), ['a', 'b', 'c'], 'after decisions of the day');
      equal(await order(day(4), 2), ['a', 'b'], 'at most so many');
      equal(await order(day(5)), ['c', 'a'], 'on the next day');
      const read = async (id: string) => {
        const found = await highlights.find('ann', id);
        return [found?.reviewedAt, found?.dismissed, found?.updatedAt === found?.createdAt];
      };
      equal(await read('a'), ['2026-03-04T10:00:00.000Z', false, true], 'a kept highlight');
      equal(await read('b'), ['2026-03-04T10:00:00.000Z', true, true], 'a dismissed highlight');
      await decide('a', 'dismiss', day(4));
      await decide('a', null, day(4));
      equal(await read('a'), [null, false, true], 'decided twice, and taken back');
      equal(await order(day(5)), ['a', 'c'], 'taken back');
      await decide('b', null, day(5));
      equal(await read('b'), ['2026-03-04T10:00:00.000Z', false, true], 'offered again on a later day');
      equal(await order(day(6)), ['a', 'c', 'b', 'd'], 'in the order of what was last seen');
      await memories.trash('ann', one, CHANGE.now);
      equal(await order(day(6)), ['b'], 'of a deleted memory');
      equal(await decide('a', 'keep', day(6)), false, 'a decision on a hidden highlight');
    },
  );

  check('HLT-4: highlights are hidden with their memory, and deleted with it', async (storage) => {
    const { highlights, memories, inspector } = storage;
    const memoryId = await memoryOf(storage, 'ann');
    await highlights.insert('ann', highlightOf('h', memoryId), 9);
    await memories.trash('ann', memoryId, CHANGE.now);
    equal(await highlights.find('ann', 'h'), null, 'find');
    equal(await highlights.list('ann', everything), [], 'list');
    equal(await highlights.remove('ann', 'h'), false, 'delete');
    const change = { note: null, folded: '', now: CHANGE.now };
    equal(await highlights.update('ann', 'h', change), false, 'change');
    await memories.restore('ann', memoryId, CHANGE);
    equal((await highlights.find('ann', 'h'))?.id, 'h', 'after restoring');
    await memories.trash('ann', memoryId, CHANGE.now);
    const later = new Date(Date.parse(CHANGE.now) + 2_000).toISOString();
    await memories.purge({ now: later, trashedFor: 1_000, answeredFor: 1_000, valuesFor: 1_000 });
    equal((await inspector.counts('ann')).highlights, 0, 'after the trash is purged');
  });
}
