import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { QueryAnswer, validate } from '@recollect/contract';
import { createFakeReranker } from '@recollect/core/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

const reranker = createFakeReranker('nectar');
const QUESTION = 'what do bees eat';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ reranker });
  await server.client('capture', {
    body: [
      { title: 'Bees', pageText: 'What do bees eat? Someone asked what bees eat.' },
      { title: 'Hives', pageText: 'Bees fill the combs of the hive with nectar, which they eat in winter.' },
      { title: 'Trains', pageText: 'The train to the coast was late again.' },
    ],
  });
});
afterAll(() => server.close());
beforeEach(() => {
  reranker.asked.length = 0;
});

const titlesOf = ({ results }: { results: { title: string }[] }) => results.map(({ title }) => title);
const post = (body: object) => server.send('POST', '/api/v1/capture/query', body);
const get = (search: string) => server.send('GET', `/api/v1/capture/query${search}`);

test('QRY-17: careful has the reranker decide the order, in POST and in GET', async () => {
  const usual = await post({ query: QUESTION });
  expect(titlesOf(usual.body)).toEqual(['Bees', 'Hives', 'Trains']);
  expect(reranker.asked).toEqual([]);
  const careful = await post({ query: QUESTION, careful: true });
  expect([careful.body.careful, titlesOf(careful.body)]).toEqual([true, ['Hives', 'Bees', 'Trains']]);
  expect(validate(QueryAnswer, careful.body)).toEqual([]);
  expect((await get(`?q=${encodeURIComponent(QUESTION)}&careful=true`)).body).toEqual(careful.body);
  for (const careful of [false, null]) expect((await post({ query: QUESTION, careful })).body).toEqual(usual.body);
  expect((await get('?q=bees&careful=maybe')).status).toBe(400);
  expect((await post({ query: 'bees', careful: 'yes' })).status).toBe(400);
});

test('MCP-1, QRY-17: an assistant searches carefully, and lists and finds related memories without it', async () => {
  const client = new Client({ name: 'tester', version: '1.2' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.address}/api/mcp`)));
  const call = async (name: string, given: object) =>
    (await client.callTool({ name, arguments: { ...given } })).structuredContent as {
      results: { title: string; id: string }[];
    };
  const found = await call('search', { query: QUESTION });
  expect(titlesOf(found)).toEqual(['Hives', 'Bees', 'Trains']);
  expect(reranker.asked).toHaveLength(1);
  await call('recent', {});
  await call('related', { id: found.results[0]?.id });
  expect(reranker.asked).toHaveLength(1);
  await client.close();
});
