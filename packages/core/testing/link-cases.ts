import { equal } from './assert.js';
import type { Check } from './harness.js';
import { CHANGE, createNewMemory, unitVector } from './samples.js';

const URL = 'https://tea.example/';
const everything = { limit: 50, after: null, filter: {} };
const linkOf = (given: Parameters<typeof createNewMemory>[0] = {}) =>
  createNewMemory({
    url: URL,
    title: 'My tea page',
    chunks: ['My tea page'],
    tags: ['drinks'],
    note: 'To read',
    metadata: { folder: 'drinks' },
    isLink: true,
    capturedAt: '2019-05-01T08:00:00.000Z',
    ...given,
  });
const pageOf = (given: Parameters<typeof createNewMemory>[0] = {}) =>
  createNewMemory({ url: URL, title: 'Tea', chunks: ['Steep it ', 'below boiling.'], tags: ['green'], ...given });

/** Registers the cases for links, which are filled by the pages that they lead to (IMP-3). */
export function checkLinks(check: Check): void {
  check('IMP-3: the page of a link fills it, and the link keeps the additions of the user', async (storage) => {
    const [link, page] = [linkOf(), pageOf()];
    const [created] = await storage.insert('ann', link);
    await storage.embed('ann', 'm', created, unitVector(4, 0));
    await storage.memories.update('ann', link.memory.id, { starred: true }, CHANGE);
    const saved = await storage.insert('ann', page);
    equal(
      saved.map(({ id, status, title, merged, added }) => [id, status, title, merged, added.map(({ text }) => text)]),
      [[link.memory.id, 'updated', 'My tea page', ['tags'], ['Steep it ', 'below boiling.']]],
      'saved',
    );
    const found = await storage.memories.find('ann', link.memory.id);
    equal(
      [found?.text, found?.tags, found?.note, found?.starred, found?.capturedAt, found?.metadata],
      [
        'Steep it below boiling.',
        ['drinks', 'green'],
        'To read',
        true,
        page.memory.capturedAt,
        { folder: 'drinks', bookmarkedAt: link.memory.capturedAt },
      ],
      'memory',
    );
    equal(await storage.search('ann', 'boiling'), [link.memory.id], 'search for a word of the page');
    equal(await storage.memories.hasEmbeddings('ann', 'm', link.memory.id), false, 'embedded');
    const [entry] = await storage.history.ofMemory('ann', link.memory.id, 10);
    equal([entry?.kind, entry?.before?.tags], ['captured', ['drinks']], 'history');
    equal((await storage.memories.list('ann', everything)).length, 1, 'memories');
    const [again] = await storage.insert('ann', pageOf({ contentHash: page.contentHash }));
    equal([again?.id, again?.status], [link.memory.id, 'duplicate'], 'the same page again');
  });

  check('IMP-3: pages of one request fill the links to them, and the others are added', async (storage) => {
    const links = [
      linkOf(),
      linkOf({
        url: 'https://bare.example/',
        title: 'https://bare.example/',
        chunks: ['https://bare.example/'],
        note: null,
      }),
    ];
    for (const link of links) await storage.insert('ann', link);
    const pages = [pageOf({ url: 'https://other.example/' }), pageOf(), pageOf({ url: 'https://bare.example/' })];
    const saved = await storage.insert('ann', ...pages);
    equal(
      saved.map(({ id, status, title }) => [id, status, title]),
      [
        [pages[0]?.memory.id, 'created', 'Tea'],
        [links[0]?.memory.id, 'updated', 'My tea page'],
        // It had no name but its address.
        [links[1]?.memory.id, 'updated', 'Tea'],
      ],
      'saved',
    );
  });

  check('IMP-3: a link that says more than its title stays beside its page', async (storage) => {
    const described = linkOf({ chunks: ['My tea page\n\n', 'A passage that I marked.'] });
    await storage.insert('ann', described);
    const [page] = await storage.insert('ann', pageOf());
    equal(page?.status, 'created', 'status');
    const kept = await storage.memories.find('ann', described.memory.id);
    equal(kept?.text, 'My tea page\n\nA passage that I marked.', 'text');
  });

  check('IMP-3: a link fills no link, and neither does a page of another address or user', async (storage) => {
    await storage.insert('ann', linkOf(), linkOf({ url: 'https://app.example/#/a' }));
    const others = [
      linkOf({ title: 'Another name' }),
      pageOf({ url: 'https://tea.example/other' }),
      pageOf({ url: 'https://app.example/#/b' }),
    ];
    for (const other of others) {
      const [saved] = await storage.insert('ann', other);
      equal(saved?.status, 'created', 'status');
    }
    const [bobs] = await storage.insert('bob', pageOf());
    equal(bobs?.status, 'created', "another user's page");
  });
}
