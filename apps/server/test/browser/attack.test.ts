import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, browserPath, openBrowser } from '@recollect/browser';
import { extensionKey, extensionOrigin, type Operation } from '@recollect/contract';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeedData, type SeedData, takeSnapshot } from '../snapshot.js';
import { startTestServer, type TestServer } from '../start-test-server.js';
import { attack, type ReadResponse, type Target } from './attack-script.js';
import { attackedOperations, shareOf } from './attacked-operations.js';
import { serveAttacker } from './serve-attacker.js';

const SECRET = 'XYZZYsecret';
const REBOUND = 'rebound.test';

let server: TestServer;
let seedData: SeedData;
let attackers: Awaited<ReturnType<typeof serveAttacker>>;
let pageUrl: string;
let browser: Browser;
let folder: string;
let before: string;

const state = () => takeSnapshot(server.core, seedData);

/** The stored memories without the time at which each was last opened. */
const withoutOpening = (stored: string) => stored.replace(/"openedAt":(?:null|"[^"]*")/g, '"openedAt":…');

function targets(origin: string, operations: readonly Operation[]): Target[] {
  return operations.map(({ method, path }) => {
    const id = path.endsWith('restore') ? seedData.trashedId : seedData.keptId;
    const url = origin + path.replace('{id}', id).replace('{page}', 'security');
    return {
      method,
      url: path.endsWith('/query') && method === 'GET' ? `${url}?q=${SECRET}` : url,
      body: '{"pageText":"stored by an attack","query":"XYZZYsecret","urls":["https://a.example"]}',
    };
  });
}

/** Counts what the browser sends to the service, because an attack that never happened proves nothing. */
function countRequests(context: BrowserContext): () => number {
  let count = 0;
  context.on('request', (request) => {
    if (new URL(request.url()).port === String(server.port)) count += 1;
  });
  return () => count;
}

async function writeExtension(name: string, manifest: Record<string, unknown>): Promise<string> {
  const path = await mkdtemp(join(folder, `${name}-`));
  await writeFile(
    join(path, 'manifest.json'),
    JSON.stringify({
      manifest_version: 3,
      name,
      version: '1',
      host_permissions: ['http://127.0.0.1/*', 'http://localhost/*'],
      permissions: ['scripting'],
      background: { service_worker: 'worker.js' },
      ...manifest,
    }),
  );
  await writeFile(join(path, 'worker.js'), '');
  await writeFile(join(path, 'page.html'), '<!doctype html><title>extension</title><body>');
  return path;
}

/** Expects that the attacker read nothing of the user's. */
function expectNothing(readable: readonly ReadResponse[]): void {
  expect(readable.filter(({ text }) => text.includes(SECRET) || text.includes(seedData.keptId))).toEqual([]);
}

describe.skipIf(browserPath === undefined)('in a browser (needs Chromium: apt-get install chromium)', () => {
  beforeAll(async () => {
    server = await startTestServer();
    seedData = await createSeedData(server.core, `${SECRET} was there before.`);
    before = await state();
    attackers = await serveAttacker();
    pageUrl = `http://127.0.0.1:${attackers.port}/`;
    folder = await mkdtemp(join(tmpdir(), 'recollect-extensions-'));
    const extensions = [await writeExtension('stranger', {}), await writeExtension('ours', { key: extensionKey })];
    browser = await openBrowser({ extensions, names: [REBOUND] });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    attackers?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const run = async (on: Page, origin: string, operations: readonly Operation[]) => {
    const counted = countRequests(browser.context);
    const outcome = await on.evaluate(attack, targets(origin, operations));
    // Requests that the page cannot observe, such as beacons, may still be in flight.
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { ...outcome, counted: counted() };
  };

  for (const name of process.env.LONG === '1' ? ['127.0.0.1', 'localhost'] : ['localhost']) {
    test('SEC-2, SEC-3, SEC-4: a page on another port stores nothing, runs nothing and reads nothing', async () => {
      const attacker = await browser.context.newPage();
      await attacker.goto(pageUrl);
      const attacked = shareOf(0);
      const { readable, sent, counted } = await run(attacker, `http://${name}:${server.port}`, attacked);
      expect(readable).toEqual([]);
      expect(sent).toBeGreaterThan(8 * attacked.length);
      expect(counted).toBeGreaterThan(4 * attacked.length);
      expect(await state()).toBe(before);
      await attacker.close();
    });
  }

  test('SEC-1: rejects a page by its Host when its name is rebound to this machine and the browser sees the same origin', {
    tags: 'long',
  }, async () => {
    const attacker = await browser.context.newPage();
    const origin = `http://${REBOUND}:${server.port}`;
    // The page comes from the attacker's own server. After that, the name resolves to this machine.
    await attacker.route(`${origin}/page`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><body>' }),
    );
    await attacker.goto(`${origin}/page`);
    const { readable, counted } = await run(attacker, origin, attackedOperations);
    expect(counted).toBeGreaterThan(4 * attackedOperations.length);
    expect(readable.length).toBeGreaterThan(attackedOperations.length);
    const read = readable.filter(({ status }) => status !== 0);
    expect(new Set(read.map(({ status, text }) => `${status} ${JSON.parse(text).code}`))).toEqual(
      new Set(['403 HOST_NOT_ALLOWED']),
    );
    expectNothing(readable);
    expect(await state()).toBe(before);
    await attacker.close();
  });

  test('SEC-3: a page that opens the service in a window gets an unreadable rejection, or a page that is the same for all', {
    tags: 'long',
  }, async () => {
    const attacker = await browser.context.newPage();
    await attacker.goto(pageUrl);
    const isPage = ({ allowsCrossSiteNavigation }: Operation) => allowsCrossSiteNavigation === true;
    const pages = targets(server.address, attackedOperations.filter(isPage)).map(({ url }) => url);
    const others = attackedOperations.filter((operation) => !isPage(operation));
    for (const url of [...pages, ...targets(server.address, others).map(({ url }) => url)]) {
      const [opened] = await Promise.all([
        browser.context.waitForEvent('page'),
        attacker.evaluate((to) => void window.open(to), url),
      ]);
      await opened.waitForLoadState();
      if (pages.includes(url)) {
        // Such a page comes without anything of the user's, and other sites cannot read it.
        expect(await opened.title()).toMatch(/Recollect|Save/);
        const readIt = async (to: string) => {
          const window_ = window.open(to);
          try {
            // Until the window has left its first, empty page, which everyone may read.
            for (const end = Date.now() + 60_000; Date.now() < end; ) {
              await new Promise((resolve) => setTimeout(resolve, 100));
              // A page with an opener policy: for its opener, the window is closed.
              if (window_?.closed === true) return 'Closed';
              if (window_?.document.title !== '') return window_?.document.title;
            }
            return 'The page did not load.';
          } catch (error) {
            return (error as Error).name;
          } finally {
            window_?.close();
          }
        };
        const outcome = await attacker.evaluate(readIt, url);
        expect([url, ['SecurityError', 'TypeError', 'Closed'].includes(outcome ?? '') || outcome]).toEqual([url, true]);
        // Its opener can no longer close such a window, which would keep one of the browser's six connections.
        for (const page of browser.context.pages()) if (page !== attacker) await page.close();
        continue;
      }
      expect(JSON.parse((await opened.textContent('body')) ?? '{}')).toMatchObject({
        status: 403,
        code: 'ORIGIN_NOT_ALLOWED',
      });
      await opened.close();
    }
    // A window that shows a memory opens it, as any link to it does. It changes nothing else.
    const after = await state();
    expect(withoutOpening(after)).toBe(withoutOpening(before));
    before = after;
    await attacker.close();
  });

  const openExtension = async (isOurs: boolean) => {
    const isWanted = (url: string) => url.startsWith(`${extensionOrigin}/`) === isOurs;
    const known = browser.context.serviceWorkers().find((worker) => isWanted(worker.url()));
    const worker =
      known ?? (await browser.context.waitForEvent('serviceworker', (candidate) => isWanted(candidate.url())));
    const opened = await browser.context.newPage();
    await opened.goto(new URL('page.html', worker.url()).href);
    return { opened, worker };
  };

  test('SEC-5, SEC-17: another extension with permission for this host stores nothing, runs nothing and reads no user data', {
    tags: 'long',
  }, async () => {
    const { opened, worker } = await openExtension(false);
    const { readable, counted } = await run(opened, server.address, attackedOperations);
    expect(counted).toBeGreaterThan(4 * attackedOperations.length);
    expect(readable.length).toBeGreaterThan(attackedOperations.length);
    const fromWorker = await worker.evaluate(attack, targets(`http://localhost:${server.port}`, attackedOperations));
    expect(fromWorker.readable.length).toBeGreaterThan(attackedOperations.length);
    expectNothing([...readable, ...fromWorker.readable]);
    // Public resources may be read; everything else is rejected.
    const taken = [...readable, ...fromWorker.readable].filter(({ status }) => status >= 200 && status < 300);
    for (const { way } of taken) expect(way).toMatch(/^GET/);
    expect(await state()).toBe(before);
    await opened.close();
  });

  test('SEC-5: the extension with the pinned key searches and saves without an API key, but cannot create keys', async () => {
    const { opened } = await openExtension(true);
    const post = (path: string, body: unknown) =>
      opened.evaluate(
        async ([url, sent]) => {
          const headers = { 'content-type': 'application/json' };
          const response = await fetch(url, { method: 'POST', headers, body: sent });
          return { status: response.status, text: await response.text() };
        },
        [server.address + path, JSON.stringify(body)] as const,
      );
    const found = await post('/api/v1/capture/query', { query: SECRET });
    expect([found.status, found.text.includes(seedData.keptId)]).toEqual([200, true]);
    expect(JSON.parse((await post('/api/v1/api-keys', {})).text).code).toBe('OWNER_ONLY');
    expect((await post('/api/v1/capture', { pageText: 'by our extension' })).status).toBe(200);
    expect(await state()).not.toBe(before);
    await opened.close();
  });
});
