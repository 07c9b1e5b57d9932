import { createCore, LOCAL_USER } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findServer, hasServer, type TestServer } from './find-server.js';

describe.skipIf(!hasServer)('counts of words (needs RECOLLECT_TEST_POSTGRES_URL: CONTRIBUTING.md)', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await findServer();
  }, 60_000);
  afterAll(() => server.stop());

  test('QRY-3: keeps how many texts have a common word, as texts come and go', async () => {
    const url = await server.createDatabase();
    const storage = await openStorage({ url });
    const core = createCore(storage);
    const captures = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => ({
        title: `Bees ${from + at}`,
        pageText: `Honey of jar ${from + at}.`,
      }));
    const counts = async () => {
      const terms = [['honey'], ['jar'], ['7'], ['wasp']];
      return (await storage.textIndex.frequencies(LOCAL_USER, terms)).counts;
    };
    const kept = async () => {
      const statement = 'select max(rows)::integer as most from lexeme_counts';
      const [counted] = await server.query<{ most: number | null }>(statement, url);
      return counted?.most ?? null;
    };
    const ids: string[] = [];
    const save = async (from: number, count: number) => {
      const { answer } = await core.capture(LOCAL_USER, captures(from, count));
      ids.push(...answer.captures.map(({ id }) => id));
    };
    for (let from = 0; from < 300; from += 100) await save(from, 100);
    expect(await counts()).toEqual([300, 300, 1, 0]);
    expect(await kept()).toBeNull();
    await storage.textIndex.merge();
    expect([await counts(), await kept()]).toEqual([[300, 300, 1, 0], 300]);
    // Until the next merge, a common word lacks the last few texts.
    await save(300, 10);
    expect(await counts()).toEqual([300, 300, 1, 0]);
    await storage.textIndex.merge();
    expect(await counts()).toEqual([310, 310, 1, 0]);
    await core.bulk.change(LOCAL_USER, { ids, delete: true });
    await storage.textIndex.merge();
    expect([await counts(), await kept()]).toEqual([[0, 0, 0, 0], null]);
    await storage.close();
  });

  test('analyses tables that an import fills, before the server looks at them itself', async () => {
    const url = await server.createDatabase();
    const storage = await openStorage({ url });
    const core = createCore(storage);
    // A long word in letters for each text: others are not kept.
    const wordOf = (at: number) => at.toString().replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
    const captures = Array.from({ length: 400 }, (_, at) => ({
      title: `Bees ${at}`,
      pageText: `Honey of jar${wordOf(at)}.`,
    }));
    await core.capture(LOCAL_USER, captures);
    const analysed = async () => {
      const rows = await server.query<{ relname: string }>(
        'select relname from pg_stat_user_tables where analyze_count > 0',
        url,
      );
      return rows.map(({ relname }) => relname);
    };
    await expect.poll(analysed, { timeout: 60_000 }).toEqual(expect.arrayContaining(['memories', 'chunks', 'words']));
    expect(await analysed()).not.toContain('highlights');
    await storage.close();
  });
});
