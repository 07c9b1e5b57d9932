import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createApiKey, LOCAL_USER } from '@recollect/core';
import type { AccessPolicy } from '@recollect/server/access-policy';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

const PUBLIC = 'memory.example';
/** The code block of docs/self-hosting.md in a language: the tests run the documented configuration. */
function documented(language: string): string {
  const page = readFileSync(new URL('../../../docs/self-hosting.md', import.meta.url), 'utf8');
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]+?)\`\`\``).exec(page)?.[1];
  if (block === undefined) throw new Error(`docs/self-hosting.md has no ${language} block.`);
  return block;
}

interface Proxy {
  places: string[];
  /** The command's arguments, and the documented configuration with these ports and without a certificate. */
  prepare(folder: string, port: number, service: number): { configuration: string; args: string[] };
}

const proxies: Record<string, Proxy> = {
  nginx: {
    places: ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'],
    prepare: (folder, port, service) => ({
      configuration: `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
        http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
        ${documented('nginx')
          .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
          .replace(/^\s*ssl_.*$/gm, '')
          .replace('127.0.0.1:4545', `127.0.0.1:${service}`)} }`,
      args: ['-c', join(folder, 'configuration'), '-p', folder, '-e', join(folder, 'error.log')],
    }),
  },
  caddy: {
    places: ['/usr/bin/caddy', '/usr/local/bin/caddy', '/opt/homebrew/bin/caddy'],
    prepare: (folder, port, service) => ({
      configuration: `{\n  admin off\n  auto_https off\n}\n${documented('caddy')
        .replace(PUBLIC, `http://:${port}`)
        .replace('127.0.0.1:4545', `127.0.0.1:${service}`)}`,
      args: ['run', '--config', join(folder, 'configuration'), '--adapter', 'caddyfile'],
    }),
  },
};

/** A server whose proxy is configured, and one with only its name allowed, where the headers must be enough. */
const policies: Record<string, Partial<AccessPolicy>> = {
  'with its URL and proxy configured': { publicUrl: new URL(`https://${PUBLIC}`), trustedProxies: ['127.0.0.1'] },
  'with only its name allowed': { allowedHosts: [PUBLIC] },
};
const cases = Object.entries(proxies).flatMap(([name, proxy]) =>
  Object.entries(policies).map(([how, policy]) => ({ name, how, policy, ...proxy })),
);

for (const { name, how, policy, places, prepare } of cases) {
  const hasPublicUrl = policy.publicUrl !== undefined;
  const program = places.find((path) => existsSync(path));

  describe.skipIf(program === undefined)(`behind ${name}, ${how} (needs ${name}: apt-get install ${name})`, () => {
    let server: TestServer;
    let proxy: ChildProcess;
    let port: number;
    let folder: string;

    beforeAll(async () => {
      server = await startTestServer({ policy: { ...policy, limitsRequests: true } });
      folder = await mkdtemp(join(tmpdir(), 'recollect-proxy-'));
      port = await freePort();
      const { configuration, args } = prepare(folder, port, server.port);
      await writeFile(join(folder, 'configuration'), configuration);
      proxy = spawn(program ?? '', args, { env: { HOME: folder, PATH: process.env.PATH }, stdio: 'ignore' });
      await vi.waitFor(async () => expect((await ask('/healthz')).status).toBe(200), {
        timeout: 60_000,
        interval: 100,
      });
    });
    afterAll(async () => {
      proxy?.kill();
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    });

    /** Sends a request to the proxy as if from another machine: every address in 127.0.0.0/8 is this one. */
    const ask = async (
      path: string,
      {
        headers = {},
        from = '127.0.0.2',
        body,
      }: { headers?: Record<string, string>; from?: string; body?: string } = {},
    ) => {
      const sent = request({
        host: '127.0.0.1',
        port,
        localAddress: process.platform === 'linux' ? from : undefined,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host: PUBLIC, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      });
      sent.end(body);
      const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
        sent.on('response', resolve);
        sent.on('error', reject);
      });
      return {
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        body: JSON.parse((await text(answer)) || '{}'),
      };
    };

    test('SEC-6, KEY-3: never serves the local user through a proxy, even if it runs on this machine', async () => {
      expect((await ask('/api/v1/memories')).status).toBe(401);
      expect((await ask('/api/v1/capture', { body: '{"pageText":"x"}' })).status).toBe(401);
      const { key } = await server.core.apiKeys.create(LOCAL_USER);
      const authorization = `Bearer ${key}`;
      expect(
        (await ask('/api/v1/capture', { body: '{"pageText":"through a proxy"}', headers: { authorization } })).status,
      ).toBe(200);
      const found = await ask('/api/v1/capture/query?q=proxy', { headers: { authorization } });
      expect(found.body.results).toHaveLength(1);
    });

    // The other tests need a configured public URL.
    if (!hasPublicUrl) return;

    test('EXT-2, EXT-3: the setup document contains the public URL and says that a key is required', async () => {
      const { body } = await ask('/api/v1/extension/setup', { headers: { 'x-forwarded-host': 'evil.com' } });
      expect([body.connection.captureUrl, body.auth.mode]).toEqual([`https://${PUBLIC}/api/v1/capture`, 'required']);
    });

    test('SEC-1, SEC-3: checks hosts and origins as without a proxy', async () => {
      expect((await ask('/healthz', { headers: { host: 'evil.com' } })).body.code).toBe('HOST_NOT_ALLOWED');
      expect((await ask('/healthz', { headers: { origin: 'https://evil.com' } })).body.code).toBe('ORIGIN_NOT_ALLOWED');
      const own = await ask('/healthz', { headers: { origin: `https://${PUBLIC}` } });
      expect([own.status, own.headers['access-control-allow-origin']]).toEqual([200, `https://${PUBLIC}`]);
    });

    test.skipIf(process.platform !== 'linux')(
      'SEC-10: counts failures per client as the proxy sees it, not as the client claims',
      async () => {
        const fail = (from: string, said: string) =>
          ask('/api/v1/memories', {
            from,
            headers: { authorization: `Bearer ${createApiKey()}`, 'x-forwarded-for': said },
          });
        for (let at = 0; at < 10; at++) expect((await fail('127.0.0.3', `203.0.113.${at}`)).status).toBe(401);
        expect((await fail('127.0.0.3', '203.0.113.99')).status).toBe(429);
        expect((await fail('127.0.0.4', '127.0.0.3')).status).toBe(401);
      },
    );
  });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
