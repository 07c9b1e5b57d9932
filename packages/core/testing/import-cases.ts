import { equal } from './assert.js';
import type { Check } from './harness.js';
import { CHANGE, createNewMemory } from './samples.js';

const AT = '2026-01-31T12:00:00.000Z';
const importOf = (id: string, created: number | null = null) => {
  return { id, at: AT, name: `${id}.html`, programs: ['Pocket'], created, updated: created, undoId: null };
};

/** Registers the cases for imports. */
export function checkImports(check: Check): void {
  check('IMP-12: keeps the imports of each user, newest first, with the change that undid them', async (storage) => {
    const { imports, history } = storage;
    for (const id of ['i1', 'i2', 'i3']) await imports.save('ann', importOf(id));
    await imports.save('bob', importOf('i1'));
    await imports.save('ann', importOf('i2', 5));
    equal(await imports.list('ann', 2), [importOf('i3'), importOf('i2', 5)], 'the latest');
    equal(await imports.find('ann', 'i2'), importOf('i2', 5), 'one');
    equal(await imports.find('bob', 'i2'), null, 'of another user');
    equal(await history.changesByPrefix('ann', 'i', 2), ['i1', 'i2'], 'by the beginning of the id');
    await imports.saveUndo('ann', 'i2', 'u1');
    equal((await imports.find('ann', 'i2'))?.undoId, 'u1', 'undone');
    await imports.saveUndo('ann', 'u1', 'u2');
    equal((await imports.find('ann', 'i2'))?.undoId, null, 'undone and redone');
    await imports.remove('ann', 'i3');
    await imports.remove('ann', 'i3');
    equal((await imports.list('ann', 9)).length, 2, 'left');
    equal((await imports.list('bob', 9)).length, 1, 'of the other user');
  });

  check('IMP-12: finds the live memories that an import created, and highlights since', async (storage) => {
    const { memories, imports, highlights } = storage;
    const drafts = Array.from({ length: 3 }, () => createNewMemory({}));
    const options = { now: new Date(AT), indexing: () => null, triggersHooks: false };
    await memories.insert('ann', drafts, { ...options, importId: 'i1' });
    await memories.insert('ann', [createNewMemory({})], options);
    const ids = drafts.map(({ memory }) => memory.id);
    equal(await imports.created('ann', 'i1'), [...ids].sort(), 'created');
    equal(await imports.created('bob', 'i1'), [], 'of another user');
    const [first = '', second = ''] = ids;
    await memories.trash('ann', first, CHANGE.now);
    equal((await imports.created('ann', 'i1')).length, 2, 'live');
    const text = { quote: 'Some', prefix: '', suffix: '', note: null, colour: 'yellow', folded: 'some' } as const;
    const highlight = { ...text, id: 'h1', memoryId: second, createdAt: AT, updatedAt: AT };
    await highlights.insert('ann', highlight, 10);
    equal(await imports.highlightedSince('ann', ids, '2026-01-31T11:00:00.000Z'), [second], 'highlighted since');
    equal(await imports.highlightedSince('ann', ids, AT), [], 'highlighted before');
  });
}
