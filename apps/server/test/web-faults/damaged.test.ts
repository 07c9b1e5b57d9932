import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, browserPath, openContext } from '@recollect/browser';
import { LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../start-test-server.js';
import { openPage } from './open-app.js';

describe.skipIf(browserPath === undefined)('a damaged store (needs Chromium: apt-get install chromium)', () => {
  let folder: string;
  let browser: Browser;
  let server: TestServer;
  let id = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recollect-damaged-'));
    const path = join(folder, 'recollect.db');
    [browser, server] = await Promise.all([openContext(), startTestServer({ url: `sqlite:${path}` })]);
    const captures = Array.from({ length: 60 }, (_, at) => ({ title: `Tea ${at}`, pageText: `Tea ${at} is good.` }));
    const { answer } = await server.core.capture(LOCAL_USER, captures);
    id = answer.captures[0]?.id ?? '';
    // The end of this text is cut off, which no page below reads.
    await server.core.capture(LOCAL_USER, [{ title: 'Long', pageText: 'Tea takes its time. '.repeat(20_000) }]);
    await server.close();
    const { size } = await stat(path);
    // The end of the file is cut off, as after a failed copy.
    const file = await open(path, 'r+');
    await file.truncate(size - 8192);
    await file.close();
    server = await startTestServer({ url: `sqlite:${path}` });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('SYS-1, REL-6: says so on every page, and in /healthz; reading still works', async () => {
    const health = await server.send('GET', '/healthz');
    expect([health.status, health.body.code, health.body.detail]).toEqual([
      503,
      'STORE_DAMAGED',
      expect.stringContaining('damaged'),
    ]);
    const written = await server.send('POST', '/api/v1/capture', { pageText: 'too late' });
    expect([written.status, written.body.code]).toEqual([503, 'STORE_DAMAGED']);
    for (const path of ['/', `/memory/${id}`, '/highlights', '/tags', '/trash', '/settings']) {
      const { page } = await openPage(browser, server.address, path);
      const banner = page.getByRole('alert').filter({ hasText: 'The store file is damaged' });
      await banner.waitFor();
      await banner.getByRole('link', { name: 'What to do' }).waitFor();
      await page.close();
    }
  });
});
