import { createHmac } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findServer } from '../src/executor/find-server.js';
import { writeServerFile } from '../src/executor/server-file.js';
import { version } from '../src/version.js';
import { type Cli, createCli } from './run-cli.js';
import { serveModel } from './serve-model.js';

const isWindows = process.platform === 'win32';

let cli: Cli;
beforeEach(async () => {
  cli = await createCli();
});
afterEach(() => cli.remove());

const path = () => join(cli.folder, 'data', 'server.json');
const readFacts = async () => JSON.parse(await readFile(path(), 'utf8'));
/** Settings with which a process cannot open the store: a command that works with them has used the server. */
const CANNOT_OPEN = { RECOLLECT_MODEL: '/nowhere' };

test('SEC-18, CLI-1: commands have their work done by the running server', async () => {
  expect((await cli.run(['recent'], { env: CANNOT_OPEN })).code).toBe(78);
  const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'off' });
  if (!isWindows) expect((await stat(path())).mode & 0o777).toBe(0o600);
  const { address, pid, secret } = await readFacts();
  expect([address, pid]).toEqual([server.address, expect.any(Number)]);
  const through = async (args: readonly string[], input?: string) => {
    const { code, out, err } = await cli.run([...args, '--json'], {
      env: CANNOT_OPEN,
      ...(input === undefined ? {} : { input }),
    });
    expect([args, code, err]).toEqual([args, 0, '']);
    return out === '' ? null : JSON.parse(out);
  };
  const { captures } = await through(['capture', '-', '--tag', 'drink'], 'Green tea is steeped below boiling.');
  const [{ id }] = captures;
  expect((await through(['search', 'how', 'hot', 'for', 'tea'])).results[0].id).toBe(id);
  expect((await through(['recent', '--tag', 'drink'])).memories).toHaveLength(1);
  expect((await through(['edit', id, '--title', 'Tea', '--untag', 'drink'])).title).toBe('Tea');
  expect((await through(['show', id])).savedBy.client).toBe('cli');
  const { history } = await through(['history', id]);
  expect(history[0].by.client).toBe('cli');
  expect(await through(['undo', history[0].changeId])).toMatchObject({ changed: 1 });
  expect((await through(['tags'])).tags).toMatchObject([{ tag: 'drink', memories: 1 }]);
  expect((await through(['tags', 'rename', 'drink', '--to', 'drinks'])).changed).toBe(1);
  expect(await through(['highlights'])).toEqual({ highlights: [] });
  expect((await through(['related', id])).related).toEqual([]);
  expect((await through(['status'])).memories).toBe(1);
  const { key, apiKey } = await through(['keys', 'create', '--name', 'phone']);
  expect((await through(['keys', 'list'])).apiKeys[0].name).toBe('phone');
  expect(await through(['keys', 'revoke', key])).toEqual({ revoked: apiKey.id });
  expect((await through(['plugins', 'list'])).plugins.length).toBeGreaterThan(0);
  expect((await through(['delete', id])).changed).toBe(1);
  expect((await through(['trash'])).total).toBe(1);
  expect((await through(['trash', 'restore', id])).restored).toEqual([id]);
  expect((await through(['delete', '--query', 'tag:drinks'])).changed).toBe(1);
  expect((await through(['undelete', id])).id).toBe(id);
  await through(['delete', id]);
  expect(await through(['trash', 'empty', '--yes'])).toEqual({ deleted: 1 });
  // Facts that only the server knows are not printed.
  expect(server.printed() + server.errors()).not.toContain(secret);
  expect(await server.stop()).toBe(0);
  await expect(stat(path())).rejects.toThrow('ENOENT');
  expect((await cli.run(['recent'])).code).toBe(0);
});

test('SEC-18, CLI-1: a fault is explained as without a server', async () => {
  const faults = async () => {
    const outcomes = [];
    for (const [args, input] of [
      [['show', 'nothing']],
      [['edit', 'nothing', '--title', 'Tea']],
      [['capture', '-', '--title', 'x'.repeat(100_000)], 'Tea'],
      [['capture', '-'], '   '],
      [['search', ' ']],
      [['undo', 'nothing']],
      [['tags', 'remove', 'nothing']],
      [['keys', 'revoke', 'nothing']],
      [['plugins', 'enable', 'nothing']],
      [['plugins', 'configure', 'auto-tag', 'confidence=7']],
    ] as [string[], string?][]) {
      const { code, err } = await cli.run(args, input === undefined ? {} : { input });
      outcomes.push([args.slice(0, 2), code, err]);
    }
    return outcomes;
  };
  const without = await faults();
  const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'off' });
  expect(await faults()).toEqual(without);
  await server.stop();
});

test('SEC-18: a server is found although it closes the idle connection on which it is asked', async () => {
  const secret = 'not very random';
  const asked = new Set<Socket>();
  const server = createServer(async (request, response) => {
    if (asked.has(request.socket)) {
      request.socket.resetAndDestroy();
      return;
    }
    asked.add(request.socket);
    const { challenge } = (await json(request)) as { challenge: string };
    const proof = createHmac('sha256', secret).update(challenge).digest('base64url');
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ proof }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const file = { address, pid: process.pid, secret, version };
    // The secret must not follow a link that another account planted.
    const planted = join(cli.folder, 'planted');
    await writeFile(planted, '');
    await symlink(planted, join(cli.folder, `server.json.${process.pid}`)).catch(() => {});
    await writeServerFile(cli.folder, file);
    expect(await readFile(planted, 'utf8')).toBe('');
    expect(await findServer(cli.folder, 60_000)).toEqual(file);
    expect(await findServer(cli.folder, 60_000)).toEqual(file);
    expect(asked.size).toBe(2);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('SEC-18: nothing is sent to another program at the address of a killed server', async () => {
  const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'off' });
  const facts = await readFacts();
  await server.stop('SIGKILL');
  const received: string[] = [];
  const stranger = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`);
      response.setHeader('content-type', 'application/json').end('{"proof":"made up"}');
    });
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  try {
    const address = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    // The process exists, and is another one.
    await writeFile(path(), JSON.stringify({ ...facts, address, pid: process.pid }));
    const { code, out } = await cli.run(['capture', '-', '--json'], {
      input: 'My secret tea',
      env: { RECOLLECT_EMBEDDINGS: 'off' },
    });
    expect([code, JSON.parse(out).captures[0].title]).toEqual([0, 'My secret tea']);
    expect(received).toHaveLength(1);
    expect(received.join()).not.toMatch(new RegExp(`secret tea|${facts.secret}`));
  } finally {
    stranger.close();
  }
});

test.skipIf(isWindows)('SEC-18: a command does not wait for a server that hangs', async () => {
  const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'off' });
  const environment = { RECOLLECT_EMBEDDINGS: 'off', RECOLLECT_SERVER_WAIT: '300' };
  process.kill(server.pid, 'SIGSTOP');
  const saved = await cli.run(['capture', '-', '--json'], {
    input: 'Saved beside a server that hangs.',
    env: environment,
  });
  expect([saved.code, saved.err]).toEqual([0, '']);
  expect((await cli.run(['recent'], { env: environment })).out).toContain('Saved beside a server that hangs.');
  process.kill(server.pid, 'SIGCONT');
  expect((await cli.run(['recent'], { env: CANNOT_OPEN })).out).toContain('Saved beside a server that hangs.');
  await server.stop();
});

test('SEC-18, CLI-1: with --direct, or RECOLLECT_SERVER_WAIT=0, a command opens the store itself', async () => {
  const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'off' });
  const codeOf = async (args: readonly string[], env: Record<string, string> = {}) =>
    (await cli.run(args, { env: { ...CANNOT_OPEN, ...env } })).code;
  expect([
    await codeOf(['recent']),
    await codeOf(['recent', '--direct']),
    await codeOf(['tags', 'remove', 'nothing', '--direct']),
    await codeOf(['recent'], { RECOLLECT_SERVER_WAIT: '0' }),
  ]).toEqual([0, 78, 78, 78]);
  expect(await cli.run(['recent', '--direct'])).toMatchObject({ code: 0, err: '' });
  await server.stop();
});

test.runIf(process.getuid?.() === 0)(
  'SEC-18: a file of another account, or one that others may write, is ignored',
  async () => {
    const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'off' });
    const codeOf = async () => (await cli.run(['recent'], { env: CANNOT_OPEN })).code;
    const codes = [await codeOf()];
    await chown(path(), 65_534, 65_534);
    codes.push(await codeOf());
    await chown(path(), 0, 0);
    await chmod(path(), 0o620);
    codes.push(await codeOf());
    await chmod(path(), 0o600);
    codes.push(await codeOf());
    expect(codes).toEqual([0, 78, 78, 0]);
    await server.stop();
  },
);

test('SEC-18: a file that is left, broken, or of another version is ignored', async () => {
  const environment = { env: { RECOLLECT_EMBEDDINGS: 'off' } };
  const server = await cli.serve(environment.env);
  const facts = await readFacts();
  const ways = async (content: string) => {
    await writeFile(path(), content);
    return (await cli.run(['recent'], environment)).code;
  };
  for (const content of [
    '',
    '{',
    'null',
    '[]',
    '{}',
    JSON.stringify({ ...facts, version: '0.0.0' }),
    JSON.stringify({ ...facts, secret: 'a'.repeat(43) }),
    JSON.stringify({ ...facts, address: 'nowhere' }),
    JSON.stringify({ ...facts, address: 'http://127.0.0.1:1' }),
    JSON.stringify({ ...facts, pid: 2 ** 22 + 1 }),
  ])
    expect([content, await ways(content)]).toEqual([content, 0]);
  await server.stop();
});

test('CLI-8: a server of another build is named, and commands advise to restart it', async () => {
  const environment = { env: { RECOLLECT_EMBEDDINGS: 'off' } };
  const server = await cli.serve(environment.env);
  await cli.run(['capture', '-'], { ...environment, input: 'Green tea' });
  expect((await cli.run(['status'], environment)).out).toContain(`running at ${server.address}\n`);
  await writeFile(path(), JSON.stringify({ ...(await readFacts()), version: '0.0.9+1234' }));
  const said = 'running as version 0.0.9+1234, which commands do not use; restart it';
  for (const args of [['status'], []]) expect((await cli.run(args, environment)).out).toContain(said);
  await server.stop();
  const other = createServer((_, response) => response.end(JSON.stringify({ status: 'ok', version: '0.0.9+1234' })));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const port = String((other.address() as AddressInfo).port);
  const { out } = await cli.run(['doctor'], { env: { ...environment.env, RECOLLECT_PORT: port } });
  expect(out).toContain(`is version 0.0.9+1234, and this command is ${version}. Restart the server.`);
  other.close();
});

/** More chunks than a capture waits for. */
const LONG = Array.from({ length: 4_000 }, (_, at) => `Sentence ${at} tells about green tea.`).join(' ');

test('SEC-18: --wait waits until a long text is searchable by meaning', async () => {
  const model = await serveModel();
  const server = await cli.serve(model.env);
  const waited = await cli.run(['capture', '-', '--wait'], { input: LONG, env: model.env });
  expect([waited.code, waited.out]).toEqual([0, expect.not.stringContaining('Searchable by words now')]);
  expect((await cli.json(['model'])).withoutEmbeddings).toBe(0);
  await server.stop();
  model.close();
});

test('SEC-18, CLI-1: a long text is searchable by words at once; --wait ends with a sentence where the server cannot make embeddings', {
  tags: 'long',
}, async () => {
  const server = await cli.serve({
    RECOLLECT_EMBEDDINGS_URL: 'http://127.0.0.1:1/v1',
    RECOLLECT_EMBEDDINGS_MODEL: 'none',
  });
  const saved = await cli.run(['capture', '-'], { input: `Another one. ${LONG}` });
  expect([saved.code, saved.out]).toEqual([
    0,
    expect.stringMatching(/^Saved .*\nin .*\nSearchable by words now, by meaning in about \d+ s\.\n$/),
  ]);
  const { code, out, err } = await cli.run(['capture', '-', '--wait'], { input: LONG });
  expect([code, out, err]).toEqual([1, expect.stringMatching(/^Saved/), expect.stringMatching(/ The texts are saved/)]);
  expect((await cli.run(['search', 'tea'])).code).toBe(0);
  await server.stop();
});

test('IDX-4: reindex keeps the embeddings with which the running server searches', async () => {
  const model = await serveModel();
  const server = await cli.serve(model.env);
  await cli.json(['capture', '--text', 'Bees dance for the nest that they like.', '--wait']);
  const other = { ...model.env, RECOLLECT_EMBEDDINGS_MODEL: 'another' };
  const { code, out } = await cli.run(['reindex'], { env: other });
  expect([code, out]).toEqual([0, expect.stringContaining('Restart the server to search with these.')]);
  expect((await cli.json(['status'])).embeddings).toMatchObject({ total: 1, withEmbeddings: 1 });
  await server.stop();
  // Without it, they are former ones.
  expect((await cli.run(['reindex'], { env: other })).out).not.toContain('Restart');
  const after = JSON.parse((await cli.run(['status', '--json'], { env: model.env })).out);
  expect(after.embeddings).toMatchObject({ total: 1, withEmbeddings: 0 });
  model.close();
});

test('SEC-18, CLI-1: open leads to the server of the store wherever it listens, and with an id to no other', async () => {
  const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'off' });
  const { captures } = await cli.json(['capture', '--text', 'Green tea.']);
  const elsewhere = { RECOLLECT_PORT: '9' };
  const opened = await cli.run(['open', captures[0].id, '--json'], { env: elsewhere });
  expect(JSON.parse(opened.out)).toEqual({ address: `${server.address}/memory/${captures[0].id}` });
  const other = await createCli();
  await other.json(['capture', '--text', 'Black tea.']);
  await other.run(['recent']);
  const env = { RECOLLECT_PORT: new URL(server.address).port };
  const refused = await other.run(['open', '@1', '--json'], { env });
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('No Recollect server answers')]);
  await other.remove();
  await server.stop();
});

test.skipIf(isWindows)(
  'REL-14, IMP-6: a server that imports a file stops on SIGTERM, keeps what it has stored, and leaves no upload',
  async () => {
    const spools = join(cli.folder, 'spools');
    await mkdir(spools);
    const server = await cli.serve({ RECOLLECT_EMBEDDINGS: 'off', TMPDIR: spools, TEMP: spools });
    const stored = async () => (await (await fetch(`${server.address}/api/v1/status`)).json()).memories as number;
    const marks = Array.from({ length: 50_000 }, (_, at) => `<DT><A HREF="https://a.example/${at}">Page ${at}</A>`);
    const importing = fetch(`${server.address}/api/v1/import/file?name=bookmarks.html`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${marks.join('')}</DL>`,
    });
    await expect.poll(stored, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(await server.stop()).toBe(0);
    expect((await importing).status).toBe(503);
    expect((await readdir(spools)).filter((name) => name.startsWith('recollect-import-'))).toEqual([]);
    const { memories } = await cli.json(['status']);
    expect(memories).toBeGreaterThan(0);
    expect(memories).toBeLessThan(marks.length);
  },
);
