import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createApiKey, LOCAL_USER } from '@recollect/core';
import type { AccessPolicy } from '@recollect/server/access-policy';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { documentedBlock, freePort, hasProxy, proxyNames, type RunningProxy, startProxy } from './start-proxy.js';
import { startTestServer, type TestServer } from './start-test-server.js';

const PUBLIC = 'memory.example';
/** A server whose proxy is configured, and one with only its name allowed, where the headers must be enough. */
const policies: Record<string, Partial<AccessPolicy>> = {
  'with its URL and proxy configured': { publicUrl: new URL(`https://${PUBLIC}`), trustedProxies: ['127.0.0.1'] },
  'with only its name allowed': { allowedHosts: [PUBLIC] },
};
const cases = proxyNames.flatMap((name) => Object.entries(policies).map(([how, policy]) => ({ name, how, policy })));

for (const { name, how, policy } of cases) {
  const hasPublicUrl = policy.publicUrl !== undefined;

  describe.skipIf(!hasProxy(name))(`behind ${name}, ${how} (needs ${name}: apt-get install ${name})`, () => {
    let server: TestServer;
    let proxy: RunningProxy;
    let port: number;

    beforeAll(async () => {
      server = await startTestServer({ policy: { ...policy, limitsRequests: true } });
      port = await freePort();
      proxy = await startProxy(name, documentedBlock(name, 'at the root'), { port, service: server.port });
      await vi.waitFor(async () => expect((await ask('/healthz')).status).toBe(200), {
        timeout: 60_000,
        interval: 100,
      });
    });
    afterAll(async () => {
      await proxy?.stop();
      await server?.close();
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
