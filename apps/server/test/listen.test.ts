import { access, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

const SECRET = 'o'.repeat(43);

/** Sends a request without a body to a Unix socket, as a proxy does. */
function askSocket(socketPath: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = request({ socketPath, path, headers: { host: 'localhost', ...headers } }, async (response) =>
      resolve({ status: response.statusCode ?? 0, body: await text(response) }),
    );
    sent.on('error', reject);
    sent.end();
  });
}

describe.skipIf(process.platform === 'win32')('at a Unix socket', () => {
  let folder: string;
  let path: string;
  let server: TestServer;
  let key: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recollect-socket-'));
    path = join(folder, 'http.sock');
    const publicUrl = new URL('https://memory.example');
    server = await startTestServer({
      policy: { bind: `unix:${path}`, publicUrl, limitsRequests: true },
      ownerSecret: SECRET,
    });
    ({ key } = await server.core.apiKeys.create(LOCAL_USER, { name: 'test', scopes: ['memory:read'] }));
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const status = async (headers: Record<string, string>, at = '/api/v1/memories') =>
    (await askSocket(path, at, headers)).status;

  test('SYS-11: a server listens for its account and group', async () => {
    expect(await status({}, '/healthz')).toBe(200);
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe('660');
  });

  test('SYS-11: each request needs a key or the secret of server.json', async () => {
    expect(await status({})).toBe(401);
    expect(await status({ authorization: `Bearer ${key}` })).toBe(200);
    const owner = { authorization: `Owner ${SECRET}` };
    expect(await status(owner)).toBe(200);
    // A proxy says for whom it sends a request.
    expect(await status({ ...owner, 'x-forwarded-for': '192.0.2.1' })).toBe(401);
  });

  test('SEC-1, SYS-11: the names are localhost without a port, and the host of the public URL', async () => {
    for (const [host, expected] of [
      ['localhost', 200],
      ['memory.example', 200],
      ['MEMORY.example', 200],
      ['localhost:4545', 403],
      ['other.example', 403],
      ['memory.example:80', 403],
    ] as const)
      expect([host, await status({ host }, '/healthz')]).toEqual([host, expected]);
    expect(await status({ 'x-forwarded-host': 'other.example' }, '/healthz')).toBe(403);
  });

  test('SEC-10, SYS-11: limits count for the client that the proxy names', async () => {
    const wrong = { authorization: 'Bearer wrong' };
    const from = (client: string) => status({ ...wrong, 'x-forwarded-for': client });
    for (let attempt = 0; attempt < 10; attempt++) expect(await from('192.0.2.7')).toBe(401);
    expect(await from('192.0.2.7')).toBe(429);
    expect(await from('192.0.2.8')).toBe(401);
    // Requests without the header count for the socket.
    expect(await status(wrong)).toBe(401);
  });

  test('SYS-11: a second server, and a file that is not a socket, leave the place to its owner', async () => {
    await expect(startTestServer({ policy: { bind: `unix:${path}` } })).rejects.toThrow('EADDRINUSE');
    expect(await status({}, '/healthz')).toBe(200);
    const note = join(folder, 'note');
    await writeFile(note, 'mine');
    await expect(startTestServer({ policy: { bind: `unix:${note}` } })).rejects.toThrow('EADDRINUSE');
    expect(await readFile(note, 'utf8')).toBe('mine');
  });

  test('SYS-11: a server that stops removes its socket', async () => {
    const other = join(folder, 'other.sock');
    const second = await startTestServer({ policy: { bind: `unix:${other}` } });
    await access(other);
    await second.close();
    await expect(access(other)).rejects.toThrow('ENOENT');
  });
});

test.skipIf(!hasIpv6)('SYS-11, SEC-6: IPv6 loopback needs no key', async () => {
  const server = await startTestServer({ policy: { bind: '::1' } });
  try {
    expect(server.address).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await server.send('GET', '/api/v1/memories')).status).toBe(200);
    const { body } = await server.send('GET', '/api/v1/extension/setup');
    expect(body.connection.baseUrl).toBe(server.address);
  } finally {
    await server.close();
  }
});

test.skipIf(!hasIpv6)('SYS-11: a server on all addresses of IPv6 is reached over IPv4 as well', async () => {
  const server = await startTestServer({ policy: { bind: '::', auth: 'required' } });
  try {
    for (const host of ['127.0.0.1', '[::1]']) {
      const ask = (path: string) => fetch(`http://${host}:${server.port}${path}`).then((answer) => answer.status);
      expect([host, await ask('/healthz'), await ask('/api/v1/memories')]).toEqual([host, 200, 401]);
    }
  } finally {
    await server.close();
  }
});
