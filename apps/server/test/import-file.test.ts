import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey, createImports, LOCAL_USER, systemClock } from '@recollect/core';
import { createExportReader } from '@recollect/importers';
import { zipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { removeAbandonedSpools, spoolFile } from '../src/spool-file.js';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
const usual = process.env.TMPDIR;
let folder: string;
beforeAll(async () => {
  // Other tests of this machine also import files.
  folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  process.env.TMPDIR = folder;
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
  await rm(folder, { recursive: true });
});
/** Files of requests. */
const kept = () => readdirSync(folder).filter((name) => name.startsWith('recollect-import-'));
afterEach(() => expect(kept()).toEqual([]));

const BYTES = { 'content-type': 'application/octet-stream' };
/** Sends a file in parts of a stream, which has no length in advance. */
const send = (content: Uint8Array | string, name?: string, headers?: Record<string, string>) =>
  sendTo('/api/v1/import/file', content, name, headers);
const preview = (content: Uint8Array | string, name?: string) => sendTo('/api/v1/import/preview', content, name);

async function sendTo(path: string, content: Uint8Array | string, name?: string, headers = BYTES as object) {
  const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
  const response = await fetch(`${server.address}${path}${query}`, {
    method: 'POST',
    headers,
    body: new Blob([content as Uint8Array<ArrayBuffer>]).stream(),
    duplex: 'half',
  } as RequestInit);
  return { status: response.status, body: await response.json() };
}

const IMPORTER = { client: 'cli', name: 'Import', key: null } as const;

const bookmarks = (...names: string[]) =>
  `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${names
    .map((name) => `<DT><A HREF="https://import.example/${name}" TAGS="kept">Page ${name}</A>`)
    .join('')}</DL>`;

test('IMP-1, IMP-6: a file of another program is imported, and again only what is new', async () => {
  expect(await send(bookmarks('a', 'b'), 'bookmarks.html')).toMatchObject({
    status: 200,
    body: { found: 2, created: 2, links: 2, duplicates: 0, skipped: [], skippedCount: 0, failed: [], failedCount: 0 },
  });
  expect((await send(bookmarks('a', 'b', 'c'))).body).toMatchObject({ found: 3, created: 1, duplicates: 2 });
  const { memories } = await server.core.memories.list(LOCAL_USER, { limit: 10 });
  expect(memories.map(({ title }) => title).sort()).toEqual(['Page a', 'Page b', 'Page c']);
});

test('IMP-9: a preview names what an import would read, and changes nothing', async () => {
  const titles = Array.from({ length: 12 }, (_, at) => `preview${at}`);
  const { status, body } = await preview(bookmarks(...titles), 'bookmarks.html');
  expect(status).toBe(200);
  expect(body).toMatchObject({ programs: ['browser bookmarks'], found: 12, conversations: 0, links: 12 });
  expect(body.first).toHaveLength(10);
  expect(body.first[0]).toEqual({ title: 'Page preview0', url: 'https://import.example/preview0', capturedAt: null });
  const { found } = await server.core.memories.lookup(LOCAL_USER, ['https://import.example/preview0']);
  expect(found).toEqual([]);

  const chat = { title: 'Tea', messages: [{ role: 'user', text: 'How?' }], url: 'https://chat.example/1' };
  const half = JSON.stringify([chat, { pageText: 'Tea is steeped.' }, { title: 'Empty' }]);
  expect((await preview(half, 'captures.json')).body).toMatchObject({
    found: 2,
    conversations: 1,
    links: 0,
    first: [{ title: 'Tea' }, { title: 'Tea is steeped.', url: null }],
    skipped: [{ item: 'Empty' }],
  });
});

test('IMP-9: a preview of an unknown file has no programs, and a preview of a damaged one says so', async () => {
  expect((await preview('a,b\n1,2\n', 'table.csv')).body).toMatchObject({ programs: [], found: 0, failedCount: 0 });
  expect((await preview('{"a": [', 'half.json')).body).toMatchObject({ programs: [], failed: [{ item: 'half.json' }] });
  const archive = zipSync({ 'a.md': new TextEncoder().encode('The first note.') });
  expect((await preview(archive.subarray(0, archive.length - 40), 'cut.zip')).body).toMatchObject({
    failed: [{ item: 'cut.zip', reason: expect.stringContaining('damaged or incomplete') }],
  });
});

test('IMP-1: a memory that is deleted during an import does not end it', async () => {
  const { capture, memories } = server.core;
  const path = join(folder, 'again.html');
  const page = (name: string, tag: string) => `<DT><A HREF="https://again.example/${name}" TAGS="${tag}">${name}</A>`;
  const run = async (html: string, deletes: boolean) => {
    await writeFile(path, `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>${html}</DL>`);
    const lookup: typeof memories.lookup = async (userId, urls) => {
      const answer = await memories.lookup(userId, urls);
      for (const { id, url } of answer.found) if (deletes && url.endsWith('/a')) await memories.remove(userId, id);
      return answer;
    };
    const imports = createImports(
      { ...server.storage, exportReader: createExportReader(), clock: systemClock },
      { capture, memories: { ...memories, lookup }, records: server.core.records },
    );
    return imports.fromFile(LOCAL_USER, path, { name: 'again.html', actor: IMPORTER });
  };
  expect(await run(page('a', 'x') + page('b', 'x'), false)).toMatchObject({ created: 2 });
  const report = await run(page('a', 'y') + page('b', 'y') + page('c', 'y'), true);
  expect(report).toMatchObject({ created: 1, updated: 1, skipped: [{ item: 'a' }], failed: [] });
  const { memories: all } = await memories.list(LOCAL_USER, { limit: 10 });
  for (const { id, url } of all) if (url?.startsWith('https://again.example/')) await memories.remove(LOCAL_USER, id);
});

test('IMP-3: an address that was bookmarked under several titles becomes one memory, in one import and the next', async () => {
  const link = (name: string, title: string, tag: string) =>
    `<DT><A HREF="https://double.example/${name}" TAGS="${tag}">${title}</A>`;
  const others = Array.from({ length: 60 }, (_, at) => link(`${at}`, `Other ${at}`, 'other')).join('');
  const file = (more: string) =>
    `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>${link('tea', 'Green tea', 'x')}${link('tea', 'Steeping', 'y')}${others}${more}</DL>`;
  const far = link('tea', 'Below boiling', 'z');
  expect((await send(file(far), 'b.html')).body).toMatchObject({ found: 63, created: 61, updated: 1, duplicates: 1 });
  const teas = async () => {
    const { found } = await server.core.memories.lookup(LOCAL_USER, ['https://double.example/tea']);
    const { title, text, tags, isLink } = await server.core.memories.get(LOCAL_USER, found[0]?.id ?? '');
    return { title, text, tags, isLink };
  };
  const title = 'Green tea · Steeping · Below boiling';
  expect(await teas()).toEqual({ title, text: title, tags: ['x', 'y', 'z'], isLink: true });
  expect((await send(file(far), 'b.html')).body).toMatchObject({ created: 0, updated: 0, duplicates: 63 });
  await server.core.memories.update(LOCAL_USER, await idOf('https://double.example/tea'), { title: 'Mine' });
  await send(file(far), 'b.html');
  expect(await teas()).toMatchObject({ title: 'Mine', text: title });
  const { memories } = await server.core.memories.list(LOCAL_USER, { limit: 100 });
  expect(memories.filter(({ url }) => url?.startsWith('https://double.example/'))).toHaveLength(61);
  for (const { id, url } of memories)
    if (url?.startsWith('https://double.example/')) await server.core.memories.remove(LOCAL_USER, id);
});

async function idOf(url: string): Promise<string> {
  const { found } = await server.core.memories.lookup(LOCAL_USER, [url]);
  return found[0]?.id ?? '';
}

test('IMP-1: a page that is nested too deep is reported, and the others of its export are imported', async () => {
  const page = (name: string, content: string) => ({
    url: `https://deep.example/${name}`,
    title: `Deep ${name}`,
    content,
    is_archived: 0,
    is_starred: 0,
  });
  const paragraph = '<p>Green tea is steeped below boiling, for two minutes at most.</p>';
  const deep = `${'<div>'.repeat(60_000)}${paragraph}`;
  const { body } = await send(JSON.stringify([page('a', paragraph), page('b', deep), page('c', paragraph)]), 'w.json');
  expect([body.found, body.created + body.failedCount, body.created >= 2]).toEqual([3, 3, true]);
  const { memories } = await server.core.memories.list(LOCAL_USER, { limit: 100 });
  for (const { id, title } of memories) if (title.startsWith('Deep')) await server.core.memories.remove(LOCAL_USER, id);
});

test('IMP-1: the history names the import as the author of what it changed', async () => {
  const path = join(folder, 'authored.csv');
  const run = async (...rows: string[]) => {
    await writeFile(path, ['title,url,time_added,tags,status', ...rows].join('\n'));
    return server.core.imports.fromFile(LOCAL_USER, path, { name: 'authored.csv', actor: IMPORTER });
  };
  await run('Tea,https://authored.example/,1700000000,,unread');
  await run('Tea,https://authored.example/,1700000000,drink,unread');
  await run('Tea,https://authored.example/,1700000000,drink,archive');
  const { found } = await server.core.memories.lookup(LOCAL_USER, ['https://authored.example/']);
  const id = found[0]?.id ?? '';
  const { history } = await server.core.memories.history(LOCAL_USER, id);
  expect(history.map(({ fields, by }) => [fields, by])).toEqual([
    [['readState', 'progress', 'place'], IMPORTER],
    [['tags'], IMPORTER],
  ]);
  await server.core.memories.remove(LOCAL_USER, id);
});

test('IMP-4, IMP-6: an archive is imported, with what it has besides', async () => {
  const text = (content: string) => new TextEncoder().encode(content);
  const archive = zipSync({
    'vault/Tea.md': text('---\ntags: [drink]\n---\n# Tea\n\nGreen tea is steeped below boiling.'),
    'vault/readme.txt': text('Nothing of interest.'),
    'vault/half.json': text('{"a": ['),
  });
  const { status, body } = await send(archive, 'vault.zip');
  expect([status, body.created, body.otherFiles, body.otherNames]).toEqual([200, 1, 1, ['vault/readme.txt']]);
  expect(body.dropped).toBe(2);
  expect(body.failed).toEqual([{ item: 'vault/half.json', reason: 'It is JSON that is damaged or incomplete.' }]);
  // The second entry of the list of files.
  const damaged = zipSync({ 'a.md': text('The first note is whole.'), 'b.md': text('The second one is not.') });
  const list = Buffer.from(damaged);
  damaged[list.indexOf('PK\u0001\u0002', list.indexOf('PK\u0001\u0002') + 1)] = 0;
  const half = await send(damaged, 'half.zip');
  expect([half.status, half.body.detail]).toEqual([
    400,
    'The archive is damaged or incomplete. What could be read of it is imported. Get the export again.',
  ]);
  expect((await server.send('GET', '/api/v1/capture/query?q=whole')).body.results).toHaveLength(1);
  const cut = await send(archive.subarray(0, archive.length - 40), 'vault.zip');
  expect([cut.status, cut.body.code, cut.body.detail]).toEqual([
    400,
    'EXPORT_UNREADABLE',
    expect.stringContaining('The archive is damaged or incomplete.'),
  ]);
});

test('IMP-6, SYS-3: the error for an unknown file lists the programs, or says what is wrong with it', async () => {
  const none = await send('a,b\n1,2\n', 'table.csv');
  expect([none.status, none.body.code, none.body.detail]).toEqual([
    400,
    'EXPORT_UNREADABLE',
    expect.stringMatching(
      /^There is no export in it that can be imported\. .*: Recollect, ChatGPT, .*\. Nothing was imported\.$/,
    ),
  ]);
  expect((await send('{"a": [', 'half.json')).body.detail).toBe(
    'It is JSON that is damaged or incomplete. Nothing was imported.',
  );
  expect((await send('', 'empty.json')).status).toBe(400);
  expect((await send('x', 'x'.repeat(300))).body.code).toBe('VALIDATION_FAILED');
});

test('IMP-6, SEC-2, SEC-8: requires a key that may write, and the content type of files', async () => {
  for (const type of ['text/html', 'multipart/form-data', 'application/json', 'application/octet-streams'])
    expect((await send('x', 'x.html', { 'content-type': type })).status).toBe(415);
  const { key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['memory:read'] });
  for (const [credentials, status] of [
    [key, 403],
    [createApiKey(), 401],
  ] as const)
    expect((await send(bookmarks('z'), 'z.html', { ...BYTES, authorization: `Bearer ${credentials}` })).status).toBe(
      status,
    );
});

test('IMP-6: a connection that closes early leaves no file behind', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const head = `POST /api/v1/import/file HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\n`;
  socket.write(`${head}half of it`);
  await expect.poll(() => kept().length).toBe(1);
  socket.destroy();
  await once(socket, 'close');
  await expect.poll(kept).toEqual([]);
});

test('IMP-6, SEC-11: an import ends with its client', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const waiting = await startTestServer({
    change: (core) => ({
      ...core,
      imports: {
        ...core.imports,
        fromFile: (_user, _path, { signal }) =>
          new Promise((_, reject) => {
            signal?.addEventListener('abort', () => {
              end();
              reject(signal.reason);
            });
            begin();
          }),
      },
    }),
  });
  const socket = connect(waiting.port, '127.0.0.1');
  socket.write(
    `POST /api/v1/import/file HTTP/1.1\r\nHost: localhost:${waiting.port}\r\nContent-Type: application/octet-stream\r\nContent-Length: 2\r\n\r\n[]`,
  );
  await begun;
  socket.destroy();
  await ended;
  await expect.poll(kept).toEqual([]);
  await waiting.close();
});

test('IMP-6: files of a process that was killed are removed at the next start', async () => {
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  await mkdir(join(folder, `recollect-import-${ended}-abcdef`));
  await mkdir(join(folder, `recollect-import-${process.pid}-abcdef`));
  await removeAbandonedSpools();
  expect(kept()).toEqual([`recollect-import-${process.pid}-abcdef`]);
  await rm(join(folder, `recollect-import-${process.pid}-abcdef`), { recursive: true });
});

test('IMP-6, SEC-11: a file that is too large is rejected, and nothing of it stays', async () => {
  const parts = async function* () {
    for (;;) {
      yield new Uint8Array(1_000);
      await sleep(0);
    }
  };
  await expect(spoolFile(parts(), 2_500)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
});

test('IMP-1: a text that was corrected stays so when its export is imported again, also in the trash', async () => {
  const { memories } = server.core;
  const importIt = async (tags: string[]) =>
    (await send(JSON.stringify({ pageText: 'Tea is steped for two minutes.', tags }), 'captures.json')).body;
  const found = async () => (await memories.list(LOCAL_USER, { filter: { tag: ['tea'] } })).memories;
  expect(await importIt(['tea'])).toMatchObject({ created: 1 });
  const [{ id = '' } = {}] = await found();
  await memories.update(LOCAL_USER, id, { text: 'Tea is steeped for two minutes.' });
  expect(await importIt(['tea'])).toMatchObject({ created: 0, duplicates: 1 });
  expect(await importIt(['tea', 'kitchen'])).toMatchObject({ created: 0, updated: 1 });
  expect(await found()).toMatchObject([{ id, tags: ['tea', 'kitchen'] }]);
  await memories.remove(LOCAL_USER, id);
  expect(await importIt(['tea'])).toMatchObject({
    created: 0,
    skipped: [{ reason: 'It is in the trash. It stays there.' }],
  });
  await memories.restore(LOCAL_USER, id);
  const captured = await server.core.capture(LOCAL_USER, [{ pageText: 'Tea is steped for two minutes.' }]);
  expect(captured.answer.captures).toMatchObject([{ status: 'created' }]);
});
