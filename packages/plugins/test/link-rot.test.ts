import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLink } from '../src/link-rot/check-link.js';
import { isPublicAddress } from '../src/link-rot/public-address.js';
import { openPlugins } from './open-plugins.js';

let server: Server;
let base: string;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const path = request.url ?? '';
    if (path.startsWith('/status/')) response.writeHead(Number(path.slice(8))).end();
    else if (path.startsWith('/to/')) response.writeHead(302, { location: decodeURIComponent(path.slice(4)) }).end();
    else if (path === '/loop') response.writeHead(301, { location: '/loop' }).end();
    else if (path !== '/silent') response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const signal = new AbortController().signal;
/** On a busy machine, an answer of this process may take long. */
const timeoutMs = 60_000;
/** Treats all addresses as public, including this machine's. */
const check = (url: string, more = {}) => checkLink(url, { signal, isAllowedAddress: () => true, timeoutMs, ...more });

describe('checkLink', () => {
  test('PLG-1: tells dead links from live ones with HEAD requests only', async () => {
    asked.length = 0;
    const kinds: Record<string, string> = {
      '/': 'alive',
      '/status/404': 'dead',
      '/status/410': 'dead',
      '/status/403': 'alive',
      '/status/405': 'alive',
      '/status/500': 'alive',
      '/to/%2Fstatus%2F200': 'alive',
      '/to/%2Fstatus%2F404': 'dead',
      '/to/http%3A%2F%2F': 'alive',
      '/loop': 'unreachable',
      '/silent': 'unreachable',
    };
    for (const [path, kind] of Object.entries(kinds))
      expect([path, (await check(base + path, path === '/silent' ? { timeoutMs: 500 } : {})).kind]).toEqual([
        path,
        kind,
      ]);
    expect(asked.every((line) => line.startsWith('HEAD '))).toBe(true);
    expect((await check('http://127.0.0.1:1/')).reason).toMatch(/ECONNREFUSED/);
  });

  test('SEC-12: never sends a request to a private address, by link, name or redirect', async () => {
    asked.length = 0;
    const { port } = server.address() as AddressInfo;
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '0.0.0.0',
      '127.1',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
    ]) {
      const verdict = await checkLink(`http://${host}:${port}/`, { signal, timeoutMs });
      expect([host, verdict.kind]).toEqual([host, 'refused']);
    }
    // An allowed address redirects to a forbidden one.
    const first = (address: string) => address === '127.0.0.1' && asked.length === 0;
    const led = await check(`${base}/to/${encodeURIComponent(`http://localhost:${port}/secret`)}`, {
      isAllowedAddress: first,
    });
    expect(led.kind).toBe('refused');
    expect(asked).toEqual([expect.stringMatching(/^HEAD \/to\//)]);
    expect((await check('ftp://example.com/')).kind).toBe('refused');
    expect((await check(`${base}/to/${encodeURIComponent('file:///etc/passwd')}`)).kind).toBe('refused');
  });

  test('SEC-12: recognises public addresses', () => {
    for (const address of ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:93.184.216.34'])
      expect([address, isPublicAddress(address)]).toEqual([address, true]);
    const others = [
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '127.0.0.1',
      '0.0.0.0',
      '224.0.0.1',
    ];
    const others6 = [
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'ff02::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      'x',
      '',
    ];
    for (const address of [
      '::7f00:1',
      '::192.168.1.1',
      '::ffff:10.0.0.1',
      ...others,
      ...others6,
      '255.255.255.255',
      '198.18.0.1',
    ])
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });
});

describe('link-rot', () => {
  test('SEC-14: needs its permission to be enabled, refuses private addresses, and marks nothing while offline', async () => {
    const open = await openPlugins();
    try {
      const plugin = await open.core.plugins.install('local', { slug: 'link-rot' });
      expect(plugin).toMatchObject({ state: 'disabled', permissions: [{ permission: 'network', allowed: false }] });
      await open.core.plugins.enable('local', 'link-rot', { allow: ['network'] });
      asked.length = 0;
      const own = await open.capture('A page of this machine', { url: `${base}/` });
      const unknown = await open.capture('A page of nowhere', { url: 'http://recollect.invalid/' });
      const offline = await open.run('link-rot', 'check');
      expect(offline).toMatchObject({
        status: 'warning',
        summary: 'No site answered. Is this machine online? No link was marked.',
      });
      expect(asked).toEqual([]);
      expect((await open.get(own)).metadata).toMatchObject({ plugins: { 'link-rot': { verdict: 'refused' } } });
      expect((await open.get(unknown)).metadata).toEqual({});
      expect([(await open.get(own)).tags, (await open.get(unknown)).tags]).toEqual([[], []]);
    } finally {
      await open.close();
    }
  });
});
