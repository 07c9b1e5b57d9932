import type { MemoryFilter } from '#core/memory.js';
import { equal } from './assert.js';
import type { Check } from './harness.js';
import { CHANGE, createNewMemory, unitVector } from './samples.js';

const everything = { limit: 50, filter: {} };

/** Registers the cases for what all searches have in common: users and filters. */
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
    const { hits } = await storage.vectorIndex.search('ann', 'm', vector, everything);
    equal(
      hits.map(({ memoryId }) => memoryId),
      [mine.memory.id],
      'vectors',
    );
    await storage.embed('ann', 'm', other, vector);
    equal(
      (await storage.vectorIndex.search('ann', 'm', vector, everything)).hits.length,
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
    const idsWith = async (prefix: string, limit = 10, trash = false) =>
      (await storage.memories.findByPrefix('ann', prefix, { limit, trash })).map(({ id }) => id);
    equal(await idsWith(beginning), both, 'ids with the prefix');
    equal(await idsWith('', 1), [later.memory.id], 'ids with an empty prefix, newest first');
    equal(await idsWith(old.memory.id), [old.memory.id], 'a complete id');
    equal(await idsWith(gone.memory.id), [], 'one in the trash');
    equal(await idsWith(gone.memory.id, 10, true), [gone.memory.id], 'one in the trash that is wanted');
    equal(await idsWith("%' or 1=1 --"), [], 'ids for SQL as a prefix');
  });

  check('QRY-8: applies filters to full text, vectors and lists', async (storage) => {
    const page = createNewMemory({
      chunks: ['word'],
      url: 'https://docs.site.example/a',
      tags: ['t', 'u', 'Dev/Data/sql', 'dev-ops'],
      capturedAt: '2026-01-01T00:00:00.000Z',
    });
    const note = createNewMemory({
      chunks: ['word'],
      capturedAt: '2026-01-20T00:00:00.000Z',
      isLink: true,
    });
    const saved = await storage.insert('ann', page, note);
    const vector = unitVector(8, 1);
    for (const memory of saved) await storage.embed('ann', 'm', memory, vector);
    // After the vectors, so that the fields of filters follow the change.
    await storage.memories.update('ann', page.memory.id, { starred: true, readState: 'read', place: 'later' }, CHANGE);
    const everyone = [note.memory.id, page.memory.id];
    const filters: [MemoryFilter, string[]][] = [
      [{ site: 'site.example' }, [page.memory.id]],
      [{ site: 'te.example' }, []],
      [{ tag: 't' }, [page.memory.id]],
      [{ sourceType: 'note' }, [note.memory.id]],
      [{ since: '2026-01-20T00:00:00.000Z' }, [note.memory.id]],
      [{ until: '2026-01-20T00:00:00.000Z' }, [page.memory.id]],
      [{ starred: true }, [page.memory.id]],
      [{ starred: false }, [note.memory.id]],
      [{ readState: 'read' }, [page.memory.id]],
      [{ readState: 'unread', tag: 't' }, []],
      [{ readState: ['read', 'reading'] }, [page.memory.id]],
      [{ place: 'later' }, [page.memory.id]],
      [{ place: ['archive', 'inbox'] }, [note.memory.id]],
      [{ place: 'inbox', tag: 't' }, []],
      [{ not: { place: 'later' } }, [note.memory.id]],
      [{ not: { place: ['inbox', 'archive'] } }, [page.memory.id]],
      [{ sourceType: ['url', 'note'], starred: true }, [page.memory.id]],
      [{ sourceType: ['chatgpt', 'note'] }, [note.memory.id]],
      [{ site: ['other.example', 'site.example'] }, [page.memory.id]],
      [{ site: ['other.example', 'another.example'] }, []],
      [{ by: ['web', 'key:none'] }, []],
      [{ tag: ['t', 'u'] }, [page.memory.id]],
      [{ tag: ['t', 'none'] }, []],
      [{ tag: 'dev' }, [page.memory.id]],
      [{ tag: 'DEV/data/' }, [page.memory.id]],
      [{ tag: ['dev/data/sql', 't'] }, [page.memory.id]],
      [{ tag: 'de' }, []],
      [{ tag: 'dev/dat' }, []],
      [{ tag: 'data' }, []],
      [{ not: { tag: 'dev/data' } }, [note.memory.id]],
      [{ not: { tag: 'dev/dat' } }, everyone],
      [{ not: { tag: 't' } }, [note.memory.id]],
      [{ not: { tag: ['none', 'u'] } }, [note.memory.id]],
      [{ tag: 't', not: { tag: 'u' } }, []],
      [{ not: { site: 'site.example' } }, [note.memory.id]],
      [{ not: { site: 'other.example' } }, everyone],
      [{ not: { by: ['plugin', 'key:none'] } }, everyone],
      [{ not: { sourceType: ['note', 'chatgpt'] } }, [page.memory.id]],
      [{ not: { starred: true } }, [note.memory.id]],
      [{ link: true }, [note.memory.id]],
      [{ link: false }, [page.memory.id]],
      [{ not: { link: true } }, [page.memory.id]],
      [{ not: { readState: 'unread' }, sourceType: 'url' }, [page.memory.id]],
      [{ until: '2026-01-20T00:00:00.000Z', sourceType: 'note' }, []],
    ];
    for (const [filter, expected] of filters) {
      const name = JSON.stringify(filter);
      const sorted = (ids: string[]) => [...ids].sort();
      equal(sorted(await storage.search('ann', 'word', filter)), sorted(expected), `text ${name}`);
      const { hits: near } = await storage.vectorIndex.search('ann', 'm', vector, { limit: 50, filter });
      equal(sorted(near.map(({ memoryId }) => memoryId)), sorted(expected), `vectors ${name}`);
      const listed = await storage.memories.list('ann', { limit: 50, after: null, filter });
      equal(
        listed.map(({ id }) => id),
        expected,
        `list ${name}`,
      );
    }
  });
}
