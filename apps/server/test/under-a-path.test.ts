import { browserPath, openContext } from '@recollect/browser';
import { operations } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import { isOwnPath } from '@recollect/server/access-policy';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type Block,
  documentedBlock,
  freePort,
  hasProxy,
  type ProxyName,
  proxyNames,
  type RunningProxy,
  startProxy,
} from './start-proxy.js';
import { startTestServer, type TestServer } from './start-test-server.js';

const BASE = '/recollect';
const blocks = ['keeping the path', 'removing the path'] as const satisfies Block[];

interface Deployment {
  server: TestServer;
  /** The public URL. */
  url: string;
  stop(): Promise<void>;
}

/** Starts a server under a path of a proxy. A port that was free may be taken when the proxy wants it. */
async function deploy(name: ProxyName, block: Block, attempts = 5): Promise<Deployment> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${BASE}`;
  const server = await startTestServer({ policy: { publicUrl: new URL(url), trustedProxies: ['127.0.0.1'] } });
  const proxy: RunningProxy = await startProxy(name, documentedBlock(name, block), { port, service: server.port });
  let hasEnded = false;
  void proxy.ended.then(() => {
    hasEnded = true;
  });
  await vi.waitFor(
    async () => {
      if (!hasEnded) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    },
    { timeout: 60_000, interval: 50 },
  );
  if (hasEnded && attempts > 1) {
    await proxy.stop();
    await server.close();
    return deploy(name, block, attempts - 1);
  }
  return {
    server,
    url,
    async stop() {
      await proxy.stop();
      await server.close();
    },
  };
}

/** The addresses on the same host in a page, a manifest or a setup document. */
function addressesIn(content: string, origin: string): string[] {
  const found = content.matchAll(/(?:href|src)="(\/[^"]*)"|"(\/[^"]*)"|"(https?:\/\/127[^"]*)"/g);
  return Array.from(found, ([, attribute, value, absolute]) => attribute ?? value ?? absolute ?? '').map((address) =>
    address.replace(origin, ''),
  );
}

for (const name of proxyNames)
  for (const block of blocks)
    describe.skipIf(!hasProxy(name))(`behind ${name}, ${block} (needs ${name}: apt-get install ${name})`, () => {
      let deployment: Deployment;
      beforeAll(async () => {
        deployment = await deploy(name, block);
      });
      afterAll(() => deployment?.stop());

      test('SYS-10, EXT-2: all addresses in pages and documents have the path, and exist', async () => {
        const { url } = deployment;
        const { origin } = new URL(url);
        const seen = new Set<string>();
        for (const path of [
          '/',
          '/tags',
          '/docs',
          '/docs/security',
          '/manifest.webmanifest',
          '/api/v1/extension/setup',
        ]) {
          const response = await fetch(url + path);
          expect([path, response.status]).toEqual([path, 200]);
          const addresses = addressesIn(await response.text(), origin);
          expect(addresses.length).toBeGreaterThan(5);
          for (const address of addresses) {
            expect([path, address]).toEqual([path, expect.stringMatching(/^\/recollect(?:\/|$)/)]);
            seen.add(address.replace(/#.*/s, ''));
          }
        }
        seen.delete(BASE);
        const statuses = await Promise.all(
          Array.from(seen, async (address) => [address, (await fetch(origin + address)).status]),
        );
        // Some addresses of the setup document take only POST.
        expect(statuses.filter(([, status]) => ![200, 401, 405].includes(Number(status)))).toEqual([]);
      });

      test('SYS-10: the path without a slash leads to the app, and no other path belongs to it', async () => {
        const { url, server } = deployment;
        const response = await fetch(`${url}?q=tea`);
        expect([response.status, new URL(response.url).pathname]).toEqual([200, `${BASE}/`]);
        // Programs on this machine reach the server with and without the path.
        for (const path of ['/healthz', `${BASE}/healthz`]) expect((await server.send('GET', path)).status).toBe(200);
        for (const path of [`${BASE}s/healthz`, `${BASE}${BASE}/healthz`])
          expect([path, (await server.send('GET', path)).status]).toEqual([path, 404]);
        expect((await server.send('GET', '/openapi.json')).body.servers).toEqual([{ url: BASE }]);
      });

      test('SYS-10, MCP-1: an assistant reaches its tools under the path', async () => {
        const { url, server } = deployment;
        const { key } = await server.core.apiKeys.create(LOCAL_USER);
        const response = await fetch(`${url}/api/mcp`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
        });
        expect([response.status, (await response.text()).includes('"tools"')]).toEqual([200, true]);
      });
    });

test('SYS-10: no path of the server itself can be the path of a deployment', () => {
  for (const { path } of Object.values(operations))
    if (path !== '/') expect([path, isOwnPath(path)]).toEqual([path, true]);
  for (const path of ['/recollect', '/documents', '/my/docs']) expect([path, isOwnPath(path)]).toEqual([path, false]);
});

test('SYS-10, SEC-19: over HTTPS, the cookie of a session is sent to the path only', async () => {
  const server = await startTestServer({ policy: { publicUrl: new URL('https://host.example/recollect') } });
  try {
    const { key } = await server.core.apiKeys.create(LOCAL_USER);
    const origin = 'https://host.example';
    const { status, headers } = await server.send('POST', '/api/v1/session', { apiKey: key }, { origin });
    const [cookie = '', ...attributes] = (headers.get('set-cookie') ?? '').split('; ');
    expect([status, cookie]).toEqual([200, expect.stringMatching(/^__Secure-recollect=./)]);
    expect(attributes).toEqual(expect.arrayContaining([`Path=${BASE}`, 'Secure', 'HttpOnly', 'SameSite=Strict']));
    const list = (sent: string) => server.send('GET', '/api/v1/memories', undefined, { origin, cookie: sent });
    expect((await list(cookie)).status).toBe(200);
    expect((await list(cookie.replace('__Secure-', '__Host-'))).status).toBe(401);
    expect((await list(`${cookie}; ${cookie}`)).status).toBe(401);
    const ended = await server.send('DELETE', '/api/v1/session', undefined, { origin, cookie });
    expect(ended.headers.get('set-cookie')).toMatch(/^__Secure-recollect=; Path=\/recollect; Max-Age=0/);
  } finally {
    await server.close();
  }
});

/** One proxy passes the path on, the other removes it. */
const browsed: [ProxyName, Block][] = [
  ['nginx', 'keeping the path'],
  ['caddy', 'removing the path'],
];
const canBrowse = browserPath !== undefined && proxyNames.every(hasProxy);

describe.skipIf(!canBrowse)('the web app under a path (needs Chromium, nginx and Caddy)', () => {
  let browser: Awaited<ReturnType<typeof openContext>>;
  beforeAll(async () => {
    browser = await openContext({ serviceWorkers: 'allow' });
  });
  afterAll(() => browser?.close());

  test.each(browsed)('SYS-10, SYS-12, SEC-19: works behind %s, %s', async (name, block) => {
    const { server, url, stop } = await deploy(name, block);
    const page = await browser.context.newPage();
    try {
      const { key } = await server.core.apiKeys.create(LOCAL_USER);
      await server.core.capture(LOCAL_USER, [
        { title: 'Green tea', pageText: 'Steep it below boiling.', tags: ['tea'] },
      ]);
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));

      if (name === 'nginx') {
        await page.goto(`${url}?q=`);
        await page.getByLabel('API key').fill(key);
        await page.keyboard.press('Enter');
      } else {
        const { code } = await server.core.pairings.create(LOCAL_USER);
        await page.goto(`${url}/#pair=${code}`);
      }
      const title = page.getByRole('link', { name: 'Green tea' });
      await title.waitFor();
      const [cookie] = await browser.context.cookies(url);
      expect([cookie?.name, cookie?.path, cookie?.httpOnly]).toEqual(['recollect', BASE, true]);

      await title.click();
      await page.getByText('Steep it below boiling.').waitFor();
      expect(page.url()).toMatch(new RegExp(`^${url}/memory/`));
      for (const [link, place] of [
        ['Tags', '/tags'],
        ['Trash', '/trash'],
        ['Settings', '/settings/connect'],
        ['Everything', '/everything'],
      ] as const) {
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: link }).click();
        await page.waitForURL(url + place);
        await page.locator('main').waitFor();
      }
      await title.waitFor();
      await page.getByRole('searchbox').or(page.getByRole('combobox')).first().fill('tea');
      await page.waitForURL(`${url}/?q=tea`);
      await title.waitFor();

      await page.goto(`${url}/settings/connect`);
      await page.getByRole('link', { name: 'Documentation', exact: true }).click();
      await page.waitForURL(`${url}/docs`);
      await page.getByRole('link', { name: 'Your memories' }).click();
      await page.waitForURL(`${url}/`);

      const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
      expect(scope).toBe(`${url}/`);
      const kept = await page.evaluate(async () => {
        const names = await caches.keys();
        const caching = await Promise.all(names.map((cacheName) => caches.open(cacheName)));
        const requests = await Promise.all(caching.map((cache) => cache.keys()));
        return { names, urls: requests.flat().map((request) => request.url) };
      });
      expect(kept.names).toEqual([expect.stringMatching(/^recollect\/recollect-[0-9a-f]{12}$/)]);
      expect(kept.urls).toContain(`${url}/`);
      expect(
        Object.keys(await page.evaluate(() => ({ ...localStorage }))).filter((item) => !item.endsWith(BASE)),
      ).toEqual([]);
      const outside = requested.filter((address) => !address.startsWith(url) && !/^(?:data|blob):/.test(address));
      expect(outside).toEqual([]);
    } finally {
      await page.close();
      await stop();
    }
  });

  test('SYS-10: a browser on the server’s machine may leave the path out', async () => {
    const server = await startTestServer({ policy: { publicUrl: new URL('http://127.0.0.1:1/recollect') } });
    const page = await browser.context.newPage();
    try {
      await server.core.capture(LOCAL_USER, [{ title: 'Green tea', pageText: 'Steep it below boiling.' }]);
      await page.goto(`${server.address}/?q=tea`);
      await page.getByRole('link', { name: 'Green tea' }).waitFor();
      expect(page.url()).toBe(`${server.address}${BASE}/?q=tea`);
      await page.goto(`${server.address}/save`);
      const more = page.getByRole('link', { name: 'More about the bookmarklet' });
      expect(await more.evaluate((link: HTMLAnchorElement) => link.href)).toContain(`${server.address}/docs/`);
      await page.goto(`${server.address}${BASE}/save`);
      expect(await page.locator('#source').inputValue()).toContain(encodeURIComponent(`${server.address}${BASE}/save`));
    } finally {
      await page.close();
      await server.close();
    }
  });
});
