import type { CaptureMode } from '@recollect/contract';
import type { NewMemory } from '../memory.js';
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
