import { type ExportItem, readExport, writeExport } from '@recollect/contract';
import { type Core, type CoreOptions, createCore, LOCAL_USER } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const WRITTEN = { program: '0.1.0', now: new Date('2026-01-31T12:00:00Z') };

/** Runs work with a core over an empty store in memory. */
async function withCore<T>(
  work: (core: Core) => Promise<T>,
  ports: Pick<CoreOptions, 'readYaml' | 'articleExtractor'> = {},
): Promise<T> {
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  try {
    return await work(createCore({ ...storage, embeddingModel: createFakeModel(), ...ports }));
  } finally {
    await storage.close();
  }
}

async function exportText(core: Core, userId = LOCAL_USER): Promise<string> {
  let text = '';
  for await (const line of writeExport(core.records.export(userId), WRITTEN)) text += line;
  return text;
}

const importText = (core: Core, text: string, userId = LOCAL_USER) =>
  core.records.import(userId, items(Buffer.from(text)));

/** Reads in pieces that cut lines and characters. */
function items(bytes: Buffer): AsyncIterable<ExportItem> {
  return readExport(
    (async function* () {
      for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
    })(),
  );
}

const words = fc.array(fc.oneof(fc.lorem({ maxCount: 6 }), fc.string({ unit: 'grapheme', maxLength: 30 })), {
  minLength: 1,
  maxLength: 6,
});
const text = words.map((parts) => `${parts.join('. ').replaceAll('\0', '').toWellFormed()} end`);
const page = fc.constantFrom('https://a.example/1', 'https://b.example/2?utm_source=x', null);
const capture = fc.record({
  kind: fc.constant('capture' as const),
  title: fc.option(text, { nil: undefined }),
  url: page,
  pageText: text,
  tags: fc.array(fc.constantFrom('a', 'b', 'ü', '日本'), { maxLength: 3 }),
  note: fc.option(text),
  metadata: fc.dictionary(fc.constantFrom('x', 'y', '1'), fc.jsonValue({ maxDepth: 2, noUnicodeString: true })),
});
const conversation = fc.record({
  kind: fc.constant('conversation' as const),
  url: fc.constant('https://chatgpt.com/c/1'),
  turns: fc.integer({ min: 1, max: 6 }),
});
const change = fc.record({
  kind: fc.constantFrom('edit', 'retitle', 'tag', 'highlight', 'delete', 'restore', 'undo'),
  target: fc.nat({ max: 20 }),
  value: text,
});
const step = fc.oneof({ weight: 3, arbitrary: capture }, conversation, { weight: 4, arbitrary: change });
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Runs the actions of users. An impossible action, such as restoring a live memory, changes nothing. */
async function perform(core: Core, userId: string, steps: readonly Step[]): Promise<void> {
  const ids: string[] = [];
  const changes: string[] = [];
  for (const one of steps) {
    if (one.kind === 'capture' || one.kind === 'conversation') {
      const captured =
        one.kind === 'capture'
          ? one
          : {
              url: one.url,
              messages: Array.from({ length: one.turns }, (_, turn) => ({ role: 'user', text: `Turn ${turn}.` })),
            };
      const outcome = await core.capture(userId, [captured as object]).catch(() => null);
      ids.push(...(outcome?.answer.captures.map(({ id }) => id) ?? []));
      continue;
    }
    const id = ids[one.target % Math.max(1, ids.length)] ?? '';
    const { memories, bulk, highlights } = core;
    const run: Record<string, () => Promise<unknown>> = {
      edit: () => memories.update(userId, id, { text: one.value }),
      retitle: () => memories.update(userId, id, { title: one.value, note: one.value }),
      tag: async () => {
        const { changeId } = await bulk.change(userId, { ids: [id], addTags: ['tagged'] });
        if (changeId !== null) changes.push(changeId);
      },
      highlight: () => highlights.create(userId, id, { quote: one.value, prefix: 'x', note: one.value }),
      delete: () => memories.remove(userId, id),
      restore: () => memories.restore(userId, id),
      undo: () => bulk.undo(userId, changes.at(-1) ?? ''),
    };
    await run[one.kind]?.().catch(() => null);
  }
}

test('EXP-2, EXP-4, EXP-5: an export imported into an empty store is exported the same', async () => {
  await withCore(async (core) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        run += 1;
        const [ann, bob] = [`ann ${run}`, `bob ${run}`];
        await perform(core, ann, steps);
        const exported = await exportText(core, ann);
        const again = await importText(core, exported, ann);
        expect(again).toMatchObject({ created: 0, updated: 0, skipped: [], failed: [] });
        expect(await exportText(core, ann)).toBe(exported);
        const report = await importText(core, exported, bob);
        expect(report).toMatchObject({ created: report.found, skipped: [], failed: [], isComplete: true });
        expect(await exportText(core, bob)).toBe(exported);
      }),
      { numRuns: process.env.LONG === '1' ? 40 : 20 },
    );
  });
});

test('EXP-4: texts of 2 MB in any letters are exported the same', { tags: 'long' }, async () => {
  const letters = fc.string({
    unit: fc.oneof(fc.constantFrom('ü', '日', '🦄', '\u2028', '\r\n', '"', ' '), fc.string()),
  });
  await withCore(async (core) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(letters, async (part) => {
        run += 1;
        const line = `ж ${part.replaceAll('\0', '').toWellFormed()}é\n\n`;
        const text = line.repeat(Math.ceil(2_000_000 / Buffer.byteLength(line))).trim();
        const user = `user ${run}`;
        await core.capture(user, [{ pageText: text }]);
        const exported = await exportText(core, user);
        expect(await importText(core, exported, `${user} again`)).toMatchObject({ created: 1, isComplete: true });
        expect(await exportText(core, `${user} again`)).toBe(exported);
      }),
      { numRuns: 10, examples: [['']] },
    );
  });
});

test('EXP-4: an export with lone surrogates in tags and page metadata can be imported', async () => {
  const articleExtractor = {
    extract: async () => ({ title: 'Tea', text: 'About tea.', metadata: { siteName: 'Pub \ud83d' } }),
    extractPdf: () => Promise.reject(new Error('Not asked for.')),
    close: async () => {},
  };
  await withCore(
    async (core) => {
      const url = 'https://a.example/';
      await core.capture(LOCAL_USER, [{ url, html: '<p>About tea.</p>', captureMode: 'page', tags: ['half \ud83d'] }]);
      const exported = await exportText(core);
      expect(exported).toContain('Pub \ufffd');
      expect(await importText(core, exported, 'other')).toMatchObject({ created: 1, failed: [] });
      // As an earlier version wrote them.
      const before = exported.replaceAll('\ufffd', String.raw`\ud83d`);
      expect(await importText(core, before, 'third')).toMatchObject({ created: 1, failed: [] });
      expect(await exportText(core, 'third')).toBe(exported);
    },
    { articleExtractor },
  );
});

test.each([
  ['{"__proto__":1}', 'metadata contains the key __proto__; leave that out.'],
  [String.raw`{"half":["\ud800"]}`, 'metadata contains half of a surrogate pair; leave that out.'],
])('EXP-4: metadata that no import accepts is refused when it is captured: %s', async (metadata, message) => {
  await withCore(async (core) => {
    const captured = core.capture(LOCAL_USER, [{ pageText: 'Tea.', metadata: JSON.parse(metadata) }]);
    await expect(captured).rejects.toThrow(message);
  });
});

describe('import', () => {
  const two = () =>
    withCore(async (core) => {
      await core.capture(LOCAL_USER, [{ pageText: 'Green tea is steeped.' }, { pageText: 'Black tea is boiled.' }]);
      return exportText(core);
    });

  test('EXP-4: finds imported memories by word at once, and by meaning as soon as they are indexed', async () => {
    const exported = await two();
    await withCore(async (core) => {
      await importText(core, exported);
      const byWord = await core.query(LOCAL_USER, 'steeped');
      expect(byWord.answer.results[0]).toMatchObject({ title: 'Green tea is steeped.' });
      await core.indexing.reindex(LOCAL_USER);
      const { embeddings } = await core.status(LOCAL_USER);
      expect(embeddings).toMatchObject({ total: 2, withEmbeddings: 2 });
    });
  });

  test('EXP-6: imports the complete lines of an export that was cut off, and reports the last', async () => {
    const exported = await two();
    const cut = exported.slice(0, exported.indexOf('Black tea') + 5);
    await withCore(async (core) => {
      const report = await importText(core, cut);
      expect(report).toMatchObject({ found: 2, created: 1, isComplete: false });
      expect(report.failed.map(({ item }) => item)).toEqual(['line 3', 'end']);
      expect(report.failed[0]?.reason).toBe('The line is incomplete.');
      expect(await importText(core, exported)).toMatchObject({ created: 1, duplicates: 1, isComplete: true });
    });
  });

  test('EXP-6: rejects other files and exports of a later version, and imports nothing', async () => {
    const exported = await two();
    const [header = '', ...lines] = exported.split('\n');
    const later = [header.replace('"schema":1', '"schema":2'), ...lines].join('\n');
    for (const [file, sentence] of [
      ['', 'The file is empty'],
      ['a,b,c\n1,2,3\n', 'not a Recollect export'],
      ['{"title":"x"}\n', 'not a Recollect export'],
      [lines.join('\n'), 'not a Recollect export'],
      ['\xff\xfe\0\0', 'not a Recollect export'],
      [later, 'Update Recollect'],
    ] as const) {
      await withCore(async (core) => {
        await expect(importText(core, file)).rejects.toThrow(sentence);
        expect(await core.records.count(LOCAL_USER)).toBe(0);
      });
    }
  });

  test('EXP-6: reports each record that cannot be stored with its reason, and stores the others', async () => {
    const exported = await two();
    const [header = '', first = '', second = '', end = ''] = exported.split('\n');
    const record = JSON.parse(first);
    const bad = [
      '{"id":1}',
      'nonsense',
      JSON.stringify({ ...record, text: ' ' }),
      JSON.stringify({ ...record, url: 'javascript:alert(1)' }),
      JSON.stringify({ ...record, capturedAt: '2026-02-30' }),
      JSON.stringify({ ...record, turns: { count: 2, starts: [0, 99_999] } }),
      JSON.stringify({ ...record, title: 'a\0b' }),
      JSON.stringify({ ...record, id: '../../etc/passwd' }),
      JSON.stringify({ ...record, metadata: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) }),
      first.replace('"metadata":{}', '"metadata":{"__proto__":{"x":1}}'),
    ];
    await withCore(async (core) => {
      const file = [header, ...bad, first, '', second, end.replace('2', '12')].join('\r\n');
      const report = await importText(core, file);
      expect(report).toMatchObject({ found: 12, created: 2, isComplete: true });
      expect(report.failed).toHaveLength(bad.length);
      expect(report.failed[0]).toEqual({ item: 'line 2', reason: expect.stringContaining('is required') });
      expect(JSON.stringify(report.failed)).not.toMatch(/javascript|passwd/);
    });
  });

  test('EXP-5: a memory of the trash comes back into the trash beside a live one with the same text', async () => {
    const page = { pageText: 'Saved twice.', url: 'https://a.example/' };
    const exported = await withCore(async (core) => {
      const { answer } = await core.capture(LOCAL_USER, [page]);
      await core.memories.remove(LOCAL_USER, answer.captures[0]?.id ?? '');
      return exportText(core);
    });
    await withCore(async (core) => {
      await core.capture(LOCAL_USER, [page]);
      expect(await importText(core, exported)).toMatchObject({ created: 1, failed: [], isComplete: true });
      expect(await importText(core, exported)).toMatchObject({ created: 0, duplicates: 1, failed: [] });
      expect((await core.trash.list(LOCAL_USER)).memories).toMatchObject([{ title: 'Saved twice.' }]);
    });
  });

  test('EXP-2, EXP-4: the name and title of a file can be imported again at any length', async () => {
    const long = `# ${'Heading '.repeat(2_000)}\n\nThe text.`;
    const address = `---\nsource: https://a.example/?${'x'.repeat(9_000)}\n---\nThe text.`;
    const readYaml = async (yaml: string) => Object.fromEntries([yaml.split(': ')]);
    const exported = await withCore(
      async (core) => {
        const files = [
          { pageText: long, fileName: 'a.md' },
          { pageText: address, fileName: 'b.md' },
        ];
        await core.capture(LOCAL_USER, files);
        return exportText(core);
      },
      { readYaml },
    );
    expect(JSON.parse(exported.split('\n')[1] ?? '').title).toHaveLength(10_000);
    await withCore(async (core) => {
      expect(await importText(core, exported)).toMatchObject({ created: 2, failed: [] });
    });
  });

  test('EXP-4: imports a title and an address of any length, as an earlier version stored them', async () => {
    const [header = '', first = '', ...rest] = (await two()).split('\n');
    const record = { ...JSON.parse(first), title: 'T'.repeat(20_000), url: `https://a.example/?${'x'.repeat(9_000)}` };
    const file = [header, JSON.stringify(record), ...rest].join('\n');
    await withCore(async (core) => {
      expect(await importText(core, file)).toMatchObject({ created: 2, failed: [] });
      expect(await exportText(core)).toContain(record.url);
    });
  });

  test('EXP-5: a conflict is reported and never overwrites', async () => {
    const exported = await two();
    await withCore(async (core) => {
      await importText(core, exported);
      const id = JSON.parse(exported.split('\n')[1] ?? '').id;
      await core.memories.update(LOCAL_USER, id, { text: 'Mine now.' });
      const report = await importText(core, exported);
      expect(report).toMatchObject({ created: 0, duplicates: 1, skipped: [{ item: id }] });
      expect((await core.memories.get(LOCAL_USER, id)).text).toBe('Mine now.');
    });
  });

  test('MEM-10, EXP-5: the additions of an import are in the history, so that the undo of an earlier change keeps them', async () => {
    const by = { client: 'cli' as const, name: null, key: null };
    const page = { pageText: 'Green tea is steeped well below boiling.' };
    const exported = await withCore(async (laptop) => {
      await laptop.capture(LOCAL_USER, [{ ...page, note: 'From the laptop', tags: ['tea'] }]);
      return exportText(laptop);
    });
    await withCore(async (core) => {
      const { answer } = await core.capture(LOCAL_USER, [{ ...page, note: 'Mine' }]);
      const id = answer.captures[0]?.id ?? '';
      await core.memories.update(LOCAL_USER, id, { note: 'Mine, edited' }, by);
      const report = await core.records.import(LOCAL_USER, items(Buffer.from(exported)), { actor: by });
      expect(report).toMatchObject({ created: 0, updated: 1 });
      const merged = await core.memories.get(LOCAL_USER, id);
      expect(merged).toMatchObject({ note: 'Mine, edited\n\nFrom the laptop', tags: ['tea'] });
      const { history } = await core.memories.history(LOCAL_USER, id);
      expect(history[0]).toMatchObject({ kind: 'captured', by, before: { note: 'Mine, edited', tags: [] } });
      const earlier = await core.bulk.undo(LOCAL_USER, history[1]?.changeId ?? '', by);
      expect(earlier).toMatchObject({ changed: 0, skipped: 1 });
      expect((await core.memories.get(LOCAL_USER, id)).note).toContain('From the laptop');
      await core.bulk.undo(LOCAL_USER, history[0]?.changeId ?? '', by);
      expect(await core.memories.get(LOCAL_USER, id)).toMatchObject({ note: 'Mine, edited', tags: [] });
      // Importing it again after that brings it back, and once more changes nothing.
      const again = () => core.records.import(LOCAL_USER, items(Buffer.from(exported)), { actor: by });
      expect([(await again()).updated, (await again()).duplicates]).toEqual([1, 1]);
    });
  });

  test('EXP-3: exports by operators and by time of change, and rejects words', async () => {
    await withCore(async (core) => {
      await core.capture(LOCAL_USER, [{ pageText: 'One.', tags: ['work'] }, { pageText: 'Two.' }]);
      expect(await core.records.count(LOCAL_USER, { query: 'tag:work' })).toBe(1);
      expect(await core.records.count(LOCAL_USER, { since: '2999' })).toBe(0);
      expect(() => core.records.export(LOCAL_USER, { query: 'tea' })).toThrow('only operators');
      expect(() => core.records.export(LOCAL_USER, { query: 'after:nonsense' })).toThrow('only operators');
      expect(() => core.records.export(LOCAL_USER, { since: '2026-02-30' })).toThrow('since');
    });
  });
});
