import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exportOf } from './export-of.js';
import { type Cli, createCli } from './run-cli.js';
import { canMount, mountSmallDisk } from './small-disk.js';

let cli: Cli;
let other: Cli;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
  other = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(async () => {
  await cli.remove();
  await other.remove();
});

const withoutHeader = (text: string) => text.slice(text.indexOf('\n') + 1);
const exported = async (from: Cli) => withoutHeader((await from.run(['export'])).out);

test('EXP-9, EXP-10, CLI-1: a file, a compressed file and a pipe restore the same', async () => {
  const id = await cli.save('Green tea is steeped.', '--title', 'Tea', '--tag', 'drink');
  await cli.save('Another one.');
  await cli.json(['delete', await cli.save('To the trash.')]);
  const plain = await cli.json(['export', '--out', 'a.jsonl']);
  expect(plain).toMatchObject({ path: join(cli.folder, 'a.jsonl'), format: 'jsonl', memories: 3 });
  const text = await readFile(plain.path, 'utf8');
  expect(Buffer.byteLength(text)).toBe(plain.bytes);
  await cli.json(['export', '--out', 'a.jsonl.gz']);
  const compressed = await readFile(join(cli.folder, 'a.jsonl.gz'));
  expect(withoutHeader(gunzipSync(compressed).toString())).toBe(withoutHeader(text));
  expect(await other.json(['import', '-'], text)).toMatchObject({ found: 3, created: 3, isComplete: true });
  expect(await other.json(['import', join(cli.folder, 'a.jsonl.gz')])).toMatchObject({ created: 0, duplicates: 3 });
  expect(await exported(other)).toBe(withoutHeader(text));
  expect((await other.json(['search', 'steeped'])).results[0].id).toBe(id);
  const search = { name: 'Drinks', query: 'tag:drink' };
  const [header = '', ...lines] = (await cli.run(['export'])).out.split('\n');
  const withSearch = [JSON.stringify({ ...JSON.parse(header), savedSearches: [search] }), ...lines].join('\n');
  expect((await other.run(['import', '-'], { input: withSearch })).out).toContain('1 saved search added.');
  expect((await other.run(['export'])).out.split('\n')[0]).toContain(JSON.stringify(search));
  const some = await cli.run(['export', 'tag:drink']);
  expect(some.out.trim().split('\n')).toHaveLength(3);
});

test('IMP-12: an import is listed, and undone by its id', async () => {
  expect((await cli.run(['import', '--list'])).out).toBe('Nothing has been imported.\n');
  const links = ['a', 'b'].map((name) => `<DT><A HREF="https://tea.example/${name}">${name}</A>`);
  await writeFile(
    join(cli.folder, 'bookmarks.html'),
    `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>${links.join('')}</DL>`,
  );
  const { changeId } = await cli.json(['import', 'bookmarks.html']);
  expect((await cli.run(['import', '--list'])).out).toMatch(
    /bookmarks\.html \S+\n {2}browser bookmarks, 2 imported, 0 completed\n\nUndo an import with/,
  );
  const { memories } = await cli.json(['recent']);
  expect((await cli.json(['show', memories[0].id])).savedBy.client).toBe('cli');
  expect(await cli.json(['undo', changeId.slice(0, 13)])).toMatchObject({ changed: 2, skipped: 0 });
  expect((await cli.json(['recent'])).memories).toEqual([]);
  expect((await cli.json(['import', '--list'])).imports).toMatchObject([{ changeId, isUndone: true }]);
  expect((await cli.run(['import'])).err).toContain('Name the files to import');
});

test('IMP-1: the export of another program is imported, completed by a later one, and nothing comes twice', async () => {
  const said = (id: string, parent: string | null, role: string, text: string) => ({
    [id]: { parent, message: { author: { role }, content: { content_type: 'text', parts: [text] } } },
  });
  const first = {
    ...said('1', null, 'user', 'How hot should tea be?'),
    ...said('2', '1', 'assistant', 'About 80 °C.'),
  };
  const chat = (mapping: object, current_node: string) =>
    JSON.stringify([{ title: 'Tea', id: 'c1', create_time: 1_700_000_000, current_node, mapping, is_starred: true }]);
  await writeFile(join(cli.folder, 'chats.json'), chat(first, '2'));
  expect(await cli.json(['import', 'chats.json'])).toMatchObject({ programs: ['ChatGPT'], found: 1, created: 1 });
  await writeFile(join(cli.folder, 'chats.json'), chat({ ...first, ...said('3', '2', 'user', 'Thanks!') }, '3'));
  expect((await cli.run(['import', 'chats.json'])).out).toMatch(
    /^ChatGPT: 1 read, 0 imported, 1 completed(?: in .*)?\.\nUndo with: recollect undo \S+\n$/,
  );
  // An export from before.
  await writeFile(join(cli.folder, 'chats.json'), chat(first, '2'));
  expect(await cli.json(['import', 'chats.json'])).toMatchObject({ created: 0, updated: 0, duplicates: 1 });
  const { results } = await cli.json(['search', 'Thanks']);
  expect(await cli.json(['show', results[0].id])).toMatchObject({
    title: 'Tea',
    capturedAt: '2023-11-14T22:13:20.000Z',
    starred: true,
    turns: [{ role: 'user' }, { role: 'assistant' }, { role: 'user', text: 'Thanks!' }],
  });
  const page = await cli.save('The page itself.', '--url', 'https://tea.example/');
  const link = (url: string, more = '') => `<DT><A HREF="${url}" ADD_DATE="1700000000" TAGS="tea">${url}</A>${more}\n`;
  const links = [link('https://tea.example/'), link('https://new.example/'), link('ftp://old.example/')];
  await writeFile(
    join(cli.folder, 'bookmarks.html'),
    `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>${links.join('')}${link('https://many.example/').repeat(120)}</DL>`,
  );
  const imported = await cli.run(['import', 'bookmarks.html']);
  expect(imported.out).toMatch(
    /^browser bookmarks: 122 read, 2 imported, 1 completed, 119 already here, 1 skipped(?: in .*)?\.\n/,
  );
  expect(imported.err).toBe('Skipped: ftp://old.example/: Not an http or https address.\n');
  expect((await cli.json(['show', page])).tags).toEqual(['tea']);
  const again = await cli.json(['import', 'bookmarks.html']);
  expect(again).toMatchObject({ created: 0, duplicates: 122, failed: [] });
  // Read and starred states changed there since then apply here, unless the user decided here.
  const pocket = (status: string) =>
    writeFile(
      join(cli.folder, 'pocket.csv'),
      `title,url,time_added,tags,status\nA,https://a.example/,1700000000,,archive\nB,https://b.example/,1700000000,,${status}\n`,
    );
  await pocket('unread');
  await cli.json(['import', 'pocket.csv']);
  const stateOf = async (site: string) => {
    const [memory] = (await cli.json(['recent', '--site', site])).memories;
    return [memory.id, memory.readState];
  };
  const [read, state] = await stateOf('a.example');
  expect([state, (await stateOf('b.example'))[1]]).toEqual(['read', 'unread']);
  await cli.json(['edit', read, '--mark', 'unread']);
  await pocket('archive');
  expect(await cli.json(['import', 'pocket.csv'])).toMatchObject({ created: 0, updated: 1, duplicates: 1 });
  expect([(await stateOf('a.example'))[1], (await stateOf('b.example'))[1]]).toEqual(['unread', 'read']);
  await cli.json(['delete', '--query', 'site:new.example']);
  await cli.json(['delete', results[0].id]);
  const afterDeleting = await cli.json(['import', 'bookmarks.html']);
  const stays = { reason: 'It is in the trash. It stays there.' };
  expect(afterDeleting).toMatchObject({ created: 0, skipped: [{}, { item: 'https://new.example/', ...stays }] });
  expect(await cli.json(['import', 'chats.json'])).toMatchObject({ created: 0, skipped: [{ item: 'Tea', ...stays }] });
  const captured = await cli.run(['capture', 'bookmarks.html']);
  expect([captured.code, captured.err]).toEqual([1, expect.stringContaining('recollect import bookmarks.html.')]);
  await writeFile(join(cli.folder, 'cut.zip'), 'PK\u0003\u0004 and no more');
  const cut = await cli.run(['import', 'cut.zip']);
  expect([cut.code, cut.err]).toEqual([1, expect.stringContaining('cut.zip: The archive is damaged')]);
  await writeFile(join(cli.folder, 'half.json'), chat(first, '2').slice(0, -20));
  const half = await cli.run(['import', 'half.json']);
  expect([half.code, half.err]).toEqual([
    1,
    'half.json: It is JSON that is damaged or incomplete. Nothing was imported.\n',
  ]);
  const newer = { recollect: 'export', schema: 99, program: '9', exportedAt: '2026-01-31T12:00:00Z' };
  await writeFile(join(cli.folder, 'newer.jsonl'), `${JSON.stringify(newer)}\n`);
  expect((await cli.run(['import', 'newer.jsonl'])).err).toMatch(/Update Recollect\. Nothing was imported\.\n$/);
  await writeFile(join(cli.folder, 'none.json'), '{"a":1}');
  const none = await cli.run(['import', 'none.json']);
  expect([none.code, none.err]).toEqual([
    1,
    expect.stringContaining('none.json: There is no export in it that can be imported.'),
  ]);
});

test('EXP-6, EXP-9, EXP-10: rejects what cannot be done, and leaves nothing behind', async () => {
  await cli.save('Something.');
  await mkdir(join(cli.folder, 'folder'));
  await writeFile(join(cli.folder, 'there.jsonl'), 'mine');
  await writeFile(join(cli.folder, 'notes.csv'), 'a,b\n1,2\n');
  await writeFile(
    join(cli.folder, 'damaged.gz'),
    Buffer.concat([gzipSync(exportOf(3)).subarray(0, 40), Buffer.alloc(40, 7)]),
  );
  const socket = createServer().listen(join(cli.folder, 'socket'));
  await once(socket, 'listening');
  for (const [args, code, sentence] of [
    [['export', '--out', 'there.jsonl'], 1, 'exists already'],
    [['export', '--out', 'missing/a.jsonl'], 1, 'does not exist'],
    [['export', '--format', 'markdown'], 2, '--out'],
    [['export', 'tea'], 2, 'only operators'],
    [['import', 'folder'], 1, 'There is no export in it'],
    [['import', 'notes.csv'], 1, 'To save the file unchanged: recollect capture notes.csv'],
    [['import', 'damaged.gz'], 1, ''],
    [['import', 'socket'], 1, 'is not a file'],
  ] as const) {
    const outcome = await cli.run(args);
    expect([args, outcome.code, outcome.out]).toEqual([args, code, '']);
    expect(outcome.err).toContain(sentence);
    expect(outcome.err).not.toMatch(/Unexpected|^ +at /m);
  }
  socket.close();
  expect(await readFile(join(cli.folder, 'there.jsonl'), 'utf8')).toBe('mine');
  expect((await readdir(cli.folder)).filter((name) => name.includes('partial'))).toEqual([]);
  const cut = await cli.run(['import', '-', '--json'], { input: exportOf(3).slice(0, -60) });
  expect([cut.code, JSON.parse(cut.out)]).toMatchObject([1, { created: 2, isComplete: false }]);
  expect((await cli.json(['recent'])).memories).toHaveLength(3);
});

test('EXP-9: writes Markdown with front matter, into a new folder', async () => {
  const id = await cli.save('# Tea\n\nIs steeped.', '--title', 'Tea: "green" or black?', '--tag', 'to read');
  await cli.json(['delete', await cli.save('To the trash.')]);
  const report = await cli.json(['export', '--format', 'markdown', '--out', 'notes']);
  expect(report).toMatchObject({ path: join(cli.folder, 'notes'), format: 'markdown', memories: 1 });
  const [name = '', ...others] = await readdir(report.path);
  expect([name, others]).toEqual([`Tea green or black ${id.slice(-12)}.md`, []]);
  const [, front = '', text] = (await readFile(join(report.path, name), 'utf8')).split('---\n');
  expect(parse(front)).toMatchObject({ id, title: 'Tea: "green" or black?', tags: ['to-read'] });
  expect(text).toBe('\n# Tea\n\nIs steeped.\n');
});

test('IMP-1, IMP-9: folders and several paths are imported, by tags, date and program, and a dry run changes nothing', async () => {
  const write = async (name: string, text: string) => {
    const path = join(cli.folder, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
  };
  await write('vault/Daily/2019-03-04.md', 'The ferry was late.');
  await write('vault/Ferry.md', '---\ncreated: 2024-05-06\n---\nIt crosses twice a day.');
  await write('vault/picture.png', '\u0000');
  await write(
    'marks.html',
    '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://ferry.example/">Ferries</A></DL>',
  );
  const dry = await cli.run(['import', '--dry-run', 'vault', 'marks.html']);
  expect(dry.code).toBe(0);
  expect(dry.out).toMatch(/^vault: 2 memories from notes in Markdown\n/);
  expect(dry.out).toMatch(/2019-03-04 +2019-03-04\.md/);
  expect(dry.out).toContain('1 other file left out: picture.png');
  expect(dry.out).toContain('marks.html: 1 memory from browser bookmarks (1 link)');
  expect(dry.out).toContain('Nothing was changed.');
  expect((await cli.json(['status'])).memories).toBe(0);

  const selected = await cli.json(['import', 'vault', '--format', 'obsidian', '--since', '2020-01-01', '--tag', 'Sea']);
  expect(selected).toMatchObject({ created: 1, skipped: [{ item: '1 item', reason: 'Older than 2020-01-01.' }] });
  expect((await cli.json(['recent'])).memories).toMatchObject([{ title: 'Ferry', tags: ['Sea'] }]);
  const both = await cli.run(['import', 'vault', 'missing.zip', 'marks.html', '--tag', 'sea']);
  expect([both.code, both.err]).toEqual([1, expect.stringContaining('missing.zip does not exist.')]);
  expect(both.out).toMatch(/notes in Markdown: 2 read, 1 imported, 1 already here/);
  expect(both.out).toContain('browser bookmarks: 1 read, 1 imported');
  expect((await cli.run(['import', 'vault'])).out).toMatch(/: nothing new, all 2 already here/);
  expect(await cli.run(['import', 'vault', '--format', 'betamax'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('must be one of these: Recollect, ChatGPT'),
  });
});

test('IMP-6: an import that drops most of its input exits with 1, and what was left out on purpose does not count', async () => {
  const page = (address: string) => `<DT><A HREF="${address}">Page</A>`;
  const bookmarks = (...addresses: string[]) =>
    `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>${addresses.map(page).join('')}</DL>`;
  const [good, bad] = ['https://a.example/', 'javascript:alert(1)'];
  await writeFile(join(cli.folder, 'even.html'), bookmarks(good, bad));
  expect(await cli.run(['import', 'even.html'])).toMatchObject({ code: 0 });
  await writeFile(join(cli.folder, 'most.html'), bookmarks(good, bad, `${bad};`));
  const most = await cli.run(['import', 'most.html']);
  expect([most.code, most.err]).toEqual([1, expect.stringContaining('Most of the file was not imported: 2 items and')]);
  const clipping = (text: string) =>
    `Tea\n- Your Bookmark on page 2 | Added on Friday, 2 January 2026 10:00:00\n\n${text}\n==========\n`;
  await writeFile(join(cli.folder, 'My Clippings.txt'), clipping('Steep it') + clipping('').repeat(3));
  expect(await cli.run(['import', 'My Clippings.txt'])).toMatchObject({ code: 0 });
});

test('EXP-10: an import that is killed and repeated ends like one that was not', { tags: 'long' }, async () => {
  const memories = 1_500;
  const file = join(cli.folder, 'many.jsonl');
  await writeFile(file, exportOf(memories));
  expect(await other.json(['import', file])).toMatchObject({ created: memories });
  let before = 0;
  for (const signal of ['SIGKILL', 'SIGKILL', 'SIGINT'] as const) {
    const child = cli.start(['import', file]);
    const ended = once(child, 'exit');
    // Killed in the middle: once the store has grown by some batches.
    await expect.poll(() => storedBytes(cli), { timeout: 60_000, interval: 5 }).toBeGreaterThan(before + 20_000);
    child.kill(signal);
    await ended;
    before = await storedBytes(cli);
  }
  const report = await cli.json(['import', file]);
  expect(report).toMatchObject({ found: memories, failed: [], skipped: [], isComplete: true });
  expect(await exported(cli)).toBe(await exported(other));
  const words = async (from: Cli) => (await from.json(['search', 'memory 7', '--limit', '50'])).results.length;
  expect(await words(cli)).toBe(await words(other));
});

test('EXP-10: an import that waits for its input ends when it is asked to', async () => {
  for (const [waiting, signal] of [
    [cli, 'SIGINT'],
    [other, 'SIGTERM'],
  ] as const) {
    const child = waiting.start(['import', '-']);
    let err = '';
    child.stderr?.on('data', (chunk) => {
      err += chunk;
    });
    const ended = once(child, 'exit');
    child.stdin?.write(exportOf(3).slice(0, -60));
    await expect.poll(() => storedBytes(waiting), { timeout: 60_000 }).toBeGreaterThan(0);
    child.kill(signal);
    expect([await ended, err]).toEqual([[1, null], expect.stringContaining('Stopped.')]);
  }
});

test('EXP-6, EXP-10: prints no control characters of a file, and that the import is incomplete', async () => {
  const [header = '', line = ''] = exportOf(1).split('\n');
  const record = JSON.parse(line);
  const bad = JSON.stringify({ ...record, page: { '\u001b]52;c;aGk=\u0007': 1 } });
  const { code, out, err } = await cli.run(['import', '-'], { input: `${header}\n${bad}\n` });
  expect([code, out]).toEqual([1, expect.stringMatching(/^Recollect: 1 read, 0 imported, 2 failed(?: in .*)?\.\n$/)]);
  expect(err).toContain('Failed: line 2: /page/]52;c;aGk= must be');
  expect(err).toContain('The import is incomplete');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none.
  expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

test.skipIf(!canMount())(
  'REL-4, EXP-9, EXP-10: a full disk ends an import with what it has stored, and leaves no half an export (requires an account that may mount a tmpfs)',
  { tags: 'long' },
  async () => {
    const disk = mountSmallDisk(4);
    if (disk === null) throw new Error('The disk was not mounted.');
    try {
      const memories = 2_000;
      const file = join(cli.folder, 'many.jsonl');
      await writeFile(file, exportOf(memories));
      const env = { RECOLLECT_DATA_DIR: join(disk.folder, 'data') };
      const { code, err } = await cli.run(['import', file], { env });
      expect([code, err]).toEqual([1, expect.stringMatching(/full/)]);
      const { memories: stored } = JSON.parse((await cli.run(['status', '--json'], { env })).out);
      expect(stored).toBeGreaterThan(0);
      expect(stored).toBeLessThan(memories);
      await other.json(['import', file]);
      const target = join(disk.folder, 'export.jsonl');
      const failed = await other.run(['export', '--out', target]);
      expect([failed.code, failed.err]).toEqual([1, expect.stringMatching(/full|space/)]);
      expect(await readdir(disk.folder)).toEqual(['data']);
    } finally {
      disk.remove();
    }
  },
);

/** The bytes of the store and its WAL. */
async function storedBytes({ folder }: Cli): Promise<number> {
  const sizes = await Promise.all(
    ['recollect.db', 'recollect.db-wal'].map((name) =>
      stat(join(folder, 'data', name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
