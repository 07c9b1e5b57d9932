import { type Browser, browserPath, openBrowser } from '@recollect/browser';
import { type Operation, operations } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSeedData, type SeedData, takeSnapshot } from '../snapshot.js';
import { startTestServer, type TestServer } from '../start-test-server.js';
import { attack, type Target } from './attack-script.js';
import { attackedOperations, shareOf } from './attacked-operations.js';
import { serveAttacker } from './serve-attacker.js';

const SECRET = 'XYZZYsecret';
const CROSS_SITE = 'attacker.test';
/** A name in a network, over plain HTTP. */
const NAME = 'memory.lan';
/** Five pixels wide. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAYAAABbNsX4AAAAIUlEQVR4AWzIsQkAAAwCwWCbFV3RGbUXH745POUeN5oYAAAA//9BasjqAAAABklEQVQDABnkCmZrpifgAAAAAElFTkSuQmCC';

let server: TestServer;
let seedData: SeedData;
let attackers: Awaited<ReturnType<typeof serveAttacker>>;
let browser: Browser;
let key: string;

const state = () => takeSnapshot(server.core, seedData);

/** Every operation as an attacker would call it, with a body that would have an effect. */
function targets(origin: string, attackedOperations: readonly Operation[]): Target[] {
  const bodies: Record<string, unknown> = {
    [operations.changeMemories.path]: { ids: [seedData.keptId], delete: true },
    [operations.removeTags.path]: { tags: ['there'] },
    [operations.emptyTrash.path]: {},
    [operations.createHighlight.path]: { quote: 'attackedOperations' },
    [operations.signIn.path]: { apiKey: key },
  };
  return attackedOperations.map(({ method, path }) => {
    const id = path.endsWith('restore') ? seedData.trashedId : seedData.keptId;
    return {
      method,
      url: origin + path.replace('{id}', id).replace('{page}', 'security').replace('{file}', 'icon.svg'),
      body: JSON.stringify(bodies[path] ?? { pageText: 'stored by an attack', query: SECRET }),
    };
  });
}

describe.skipIf(browserPath === undefined)('with a session (needs Chromium: apt-get install chromium)', () => {
  beforeAll(async () => {
    server = await startTestServer({ policy: { auth: 'required' } });
    seedData = await createSeedData(server.core, `${SECRET} was there before.`);
    ({ key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['admin'] }));
    attackers = await serveAttacker();
    browser = await openBrowser({ names: [CROSS_SITE, NAME] });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    attackers?.close();
  });

  let app: Page;
  beforeEach(async () => {
    await browser.context.clearCookies();
    app = await browser.context.newPage();
    await app.goto(server.address);
    expect(await signIn()).toBe(200);
    expect(await read()).toEqual([200, true]);
  });

  const signIn = () =>
    app.evaluate(async (apiKey) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch('/api/v1/session', { method: 'POST', headers, body: JSON.stringify({ apiKey }) });
      return response.status;
    }, key);
  /** The answer that a page of the app reads: the status, and whether the memory is in it. */
  const read = async () => {
    const [status, text] = await app.evaluate(async () => {
      const response = await fetch('/api/v1/memories');
      return [response.status, await response.text()] as const;
    });
    return [status, text.includes(seedData.keptId)];
  };

  test('SEC-19, IMG-1: under a name without TLS, where browsers mark no requests, the session shows pictures', async () => {
    const named = await startTestServer({ policy: { auth: 'required', allowedHosts: [NAME] } });
    try {
      const favicon = { type: 'image/png' as const, data: PNG };
      await named.core.capture(LOCAL_USER, [
        { pageText: 'A page.', url: 'https://a.example/', title: 'A page', favicon },
      ]);
      const admin = await named.core.apiKeys.create(LOCAL_USER, { scopes: ['admin'] });
      await app.goto(`http://${NAME}:${named.port}/everything`);
      expect(await app.evaluate(() => isSecureContext)).toBe(false);
      await app.getByLabel('API key').fill(admin.key);
      await app.getByRole('button', { name: 'Sign in' }).click();
      await app.getByRole('link', { name: 'A page' }).waitFor();
      const width = () => app.evaluate(() => document.querySelector<HTMLImageElement>('img.favicon')?.naturalWidth);
      await expect.poll(width).toBe(5);
    } finally {
      await app.close();
      await named.close();
    }
  });

  test('SEC-19: pages cannot read the cookie, and it has the attributes that keep it from other sites', async () => {
    expect(await app.evaluate(() => document.cookie)).toBe('');
    const cookies = await browser.context.cookies();
    expect(cookies).toMatchObject([{ name: 'recollect', httpOnly: true, sameSite: 'Strict', path: '/' }]);
    // As text, because it is the old interface that attacks would use.
    const write = "document.cookie = 'recollect=mine; path=/'; document.cookie";
    expect(await app.evaluate(write)).toBe('');
    await app.close();
  });

  for (const [name, hasCookie] of [
    ['127.0.0.1', true],
    [CROSS_SITE, false],
  ] as const)
    test(`SEC-19: ${hasCookie ? 'a page on another port of this host' : 'a page of another site'} does and reads nothing`, {
      // The server rejects both for their origin. The first is the greater danger, since its requests carry the cookie.
      tags: hasCookie ? [] : 'long',
    }, async () => {
      const before = await state();
      const attacked = hasCookie ? shareOf(1) : attackedOperations;
      const attacker = await browser.context.newPage();
      await attacker.goto(`http://${name}:${attackers.port}/`);
      let carried = 0;
      // Not awaited: the headers of a request never come if its frame is removed before.
      attacker.on('request', (request) => {
        if (new URL(request.url()).port === String(server.port))
          request.allHeaders().then(
            ({ cookie }) => {
              if (cookie?.includes('recollect=')) carried += 1;
            },
            () => {},
          );
      });
      const { readable, sent } = await attacker.evaluate(attack, targets(server.address, attacked));
      if (hasCookie) await expect.poll(() => carried).toBeGreaterThan(0);
      else await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect(readable).toEqual([]);
      expect(sent).toBeGreaterThan(8 * attacked.length);
      // Browsers do not tell ports apart: there, the cookie goes along, and only the server rejects the request.
      expect(carried === 0).toBe(!hasCookie);
      expect(await state()).toBe(before);
      await attacker.close();
      expect(await read()).toEqual([200, true]);
      await app.close();
    });

  test('SEC-19: windows and speculative loads from another site get no data', { tags: 'long' }, async () => {
    for (const name of ['127.0.0.1', CROSS_SITE]) {
      const attacker = await browser.context.newPage();
      await attacker.goto(`http://${name}:${attackers.port}/`);
      for (const path of ['/api/v1/memories', '/api/v1/status', `/api/v1/memories/${seedData.keptId}`]) {
        await attacker.evaluate((url) => {
          for (const rel of ['prefetch', 'preload', 'prerender', 'modulepreload'])
            document.head.append(Object.assign(document.createElement('link'), { rel, href: url, as: 'fetch' }));
        }, server.address + path);
        const [opened] = await Promise.all([
          browser.context.waitForEvent('page'),
          attacker.evaluate((url) => void window.open(url), server.address + path),
        ]);
        await opened.waitForLoadState();
        expect(await opened.textContent('body')).not.toContain(seedData.keptId);
        await opened.close();
      }
      await attacker.close();
    }
    // An address that the user types is not a page of the app either.
    await app.goto(`${server.address}/api/v1/memories`);
    expect(await app.textContent('body')).toContain('AUTHENTICATION_REQUIRED');
    await app.close();
  });

  test('SEC-19: a cookie that another port sets never signs the app in as someone else', async () => {
    const { key: theirs } = await server.core.apiKeys.create(LOCAL_USER, { scopes: ['memory:read'] });
    const holder = await server.core.apiKeys.authenticate(theirs);
    if (holder === null) throw new Error('Expected a holder.');
    const { token } = await server.core.sessions.open(holder, 'theirs');
    const toss = async (cookie: string) => {
      const attacker = await browser.context.newPage();
      await attacker.goto(`http://127.0.0.1:${attackers.port}/?cookie=${encodeURIComponent(cookie)}`);
      await attacker.close();
    };
    // With a narrower path it is sent beside ours, and first.
    await toss(`recollect=${token}; Path=/api`);
    expect((await browser.context.cookies(`${server.address}/api/v1/memories`)).length).toBe(2);
    expect((await read())[0]).toBe(401);
    await browser.context.clearCookies();
    expect([await signIn(), await read()]).toEqual([200, [200, true]]);
    await app.close();
  });
});
