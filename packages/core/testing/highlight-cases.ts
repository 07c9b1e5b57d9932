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

async function memoryOf(storage: Harness, userId: string, title = 'Memory'): Promise<string> {
  const draft = createNewMemory({ title });
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
      Object.entries({ ...shown, title: 'Tea', url: null, sourceType: 'note' }).sort(),
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
