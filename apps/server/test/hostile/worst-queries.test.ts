import { LOCAL_USER } from '@recollect/core';
import { worstQueries, worstTexts } from '@recollect/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../start-test-server.js';

/** The short form asks one in so many queries, of texts of so many letters. */
const [SHARE, LETTERS] = process.env.LONG === '1' ? [1, 100_000] : [7, 20_000];

let server: TestServer;
/** Searches of the indexes. */
let searches = 0;

beforeAll(async () => {
  server = await startTestServer({ policy: { limitsRequests: false } });
  const captures = Object.entries(worstTexts).map(([title, write]) => ({ title, pageText: write(LETTERS) }));
  await server.core.capture(LOCAL_USER, captures);
  const { hybridIndex } = server.storage;
  const { search } = hybridIndex;
  hybridIndex.search = (...given) => {
    searches++;
    return search(...given);
  };
});
afterAll(() => server.close());

test('QRY-6, QRY-21, SEC-11: answers the queries that cost the most, each after a few searches', async () => {
  const all = worstQueries();
  expect(all.length).toBeGreaterThan(300);
  const asked = all.filter((_, at) => at % SHARE === 0);
  const faults: string[] = [];
  let sum = 0;
  for (const { name, query } of asked) {
    searches = 0;
    const { status, body } = await server.send('POST', '/api/v1/capture/query', { query, limit: 50 });
    if (status !== 200) faults.push(`${name}: ${status} ${body.code}`);
    // Four depths, in a turn and beyond it, with and without a time.
    if (searches > 16) faults.push(`${name}: ${searches} searches`);
    sum += searches;
  }
  expect(faults).toEqual([]);
  expect(sum).toBeGreaterThan(asked.length / 2);
  expect((await server.send('GET', '/healthz')).status).toBe(200);
});
