import type { CaptureMode } from '@recollect/contract';
import type { NewMemory } from '#core/memory.js';
import { equal } from './assert.js';
import type { Check } from './harness.js';
import { CHANGE, createNewMemory } from './samples.js';

const PAGE = 'https://news.example/a';

/** Registers the cases for the versions of a page. */
export function checkVersions(check: Check): void {
  check('MEM-11: lists the whole pages of one address, newest first', async ({ memories, insert }) => {
    const first = createNewMemory({ url: PAGE, chunks: ['one ', 'text'], capturedAt: '2026-01-01T00:00:00.000Z' });
    const second = createNewMemory({ url: `${PAGE}#top`, chunks: ['two😀'], capturedAt: '2026-01-02T00:00:00.000Z' });
    const gone = createNewMemory({ url: PAGE });
    const others = [
      inMode('selection', createNewMemory({ url: PAGE })),
      inMode('conversation', createNewMemory({ url: PAGE })),
      createNewMemory({ url: 'https://news.example/b' }),
      createNewMemory({}),
    ];
    await insert('ann', first, second, gone, ...others);
    await insert('bob', createNewMemory({ url: PAGE }));
    await memories.trash('ann', gone.memory.id, CHANGE.now);
    const describe = ({ memory }: NewMemory, characters: number) => {
      const { id, title, capturedAt } = memory;
      return { id, title, capturedAt, characters };
    };
    const newestFirst = [describe(second, 5), describe(first, 8)];
    equal(await memories.pageVersions('ann', PAGE, 10), newestFirst, 'versions');
    equal(await memories.pageVersions('ann', PAGE, 1), newestFirst.slice(0, 1), 'at most as many as asked for');
    equal(await memories.pageVersions('ann', 'https://news.example/c', 10), [], 'of an unknown page');
  });

  check('CAP-20: finds the first and the last titles of a site', async ({ memories, insert }) => {
    const named = (title: string, url: string) => {
      const draft = createNewMemory({ url });
      return { ...draft, memory: { ...draft.memory, title } };
    };
    const titles = ['One', 'Two', 'Three', 'Four', 'Five'];
    const drafts = titles.map((title, at) => named(title, `https://titles.example/${at}`));
    for (const draft of drafts) await insert('ann', draft);
    await insert('ann', named('Elsewhere', 'https://other.example/'));
    await insert('bob', named('Of Bob', 'https://titles.example/0'));
    const created = [...drafts].sort((a, b) => (a.memory.id < b.memory.id ? -1 : 1)).map(({ memory }) => memory.title);
    const find = async (limit: number) => (await memories.titlesOfSite('ann', 'titles.example', limit)).sort();
    equal(await find(10), [...titles].sort(), 'all');
    equal(await find(1), [created[0] ?? '', created[4] ?? ''].sort(), 'the first and the last');
    await memories.trash('ann', drafts[1]?.memory.id ?? '', CHANGE.now);
    equal(await find(10), titles.filter((title) => title !== 'Two').sort(), 'without the trash');
    equal(await memories.titlesOfSite('ann', 'none.example', 10), [], 'of an unknown site');
  });

  check(
    'MEM-16: finds notes by the names of their files and titles, and the notes that link to them',
    async (storage) => {
      const { memories, insert } = storage;
      const note = (title: string, fileName: string | null, ...chunks: string[]) => {
        const draft = createNewMemory({ chunks });
        const metadata = fileName === null ? {} : { fileName };
        return { ...draft, memory: { ...draft.memory, title, metadata } };
      };
      const tea = note('All about tea', 'drinks/Té.md', 'Leaves. ');
      const other = note('TE', null, 'Another one. ');
      const linking = note('Pots', 'Pots.md', 'See [[drinks/te|green]]. ', 'And [[te#Steeping]].');
      const trashed = note('Old', null, 'See [[te]]. ');
      await insert('ann', tea, other, linking, trashed);
      await insert('bob', note('Te', 'te.md', 'See [[te]]. '));
      await memories.trash('ann', trashed.memory.id, CHANGE.now);
      const named = await memories.notesNamed('ann', ['te', 'mate'], 10);
      const expected = [
        { id: tea.memory.id, title: 'All about tea', fileName: 'drinks/Té.md', keys: ['te'] },
        { id: other.memory.id, title: 'TE', fileName: null, keys: ['te'] },
      ];
      equal(
        named,
        expected.sort((a, b) => (a.id < b.id ? -1 : 1)),
        'notes of this name',
      );
      const ids = async () => (await memories.notesLinkingTo('ann', ['te'], 10)).map(({ id }) => id);
      equal(await ids(), [linking.memory.id], 'each note once');
      await memories.restore('ann', trashed.memory.id, CHANGE);
      equal((await ids()).length, 2, 'after a note was restored');
      equal(await memories.notesNamed('ann', ['none'], 10), [], 'of an unknown name');
      const begun = async (text: string) =>
        (await memories.titlesBeginningWith('ann', text, 10)).map(({ title }) => title);
      equal(await begun('té'), ['TE'], 'titles that begin with a text');
      equal(await begun('all'), ['All about tea'], 'in any case');
      equal(await begun('tea'), [], 'not titles that only contain it');
    },
  );

  check('QRY-10: a hit says of which page it is a version, and how many there are', async (storage) => {
    const drafts = [
      createNewMemory({ url: PAGE }),
      createNewMemory({ url: PAGE }),
      inMode('selection', createNewMemory({ url: PAGE })),
      createNewMemory({}),
      createNewMemory({}),
      createNewMemory({ url: 'https://news.example/b' }),
    ];
    const saved = await storage.insert('ann', ...drafts);
    await storage.insert('bob', createNewMemory({ url: PAGE }));
    const hits = saved.map(({ id, added }) => ({ memoryId: id, chunkId: added[0]?.chunkId ?? 0 }));
    const read = async () => {
      const found = await storage.memories.readHits('ann', hits);
      return saved.map(({ id }) => found.get(id)?.versionOf);
    };
    const page = { urlKey: PAGE, versions: 2 };
    const other = { urlKey: 'https://news.example/b', versions: 1 };
    equal(await read(), [page, page, null, null, null, other], 'versions');
    await storage.memories.trash('ann', saved[0]?.id ?? '', CHANGE.now);
    equal(await read(), [undefined, { ...page, versions: 1 }, null, null, null, other], 'after one was deleted');
  });
}

function inMode(captureMode: CaptureMode, draft: NewMemory): NewMemory {
  return { ...draft, memory: { ...draft.memory, captureMode } };
}
