import { LOCAL_USER } from '@recollect/core';
import { afterEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
afterEach(() => server.close());

/** The value of one sample, such as `recollect_memories` or `name{label="value"}`. */
function sampleOf(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}

test('SYS-8: the metrics count requests, captures and queries, and describe the store and the process', async () => {
  server = await startTestServer({ metrics: true });
  const save = (pageText: string) =>
    server.send('POST', '/api/v1/capture', { pageText, url: 'https://secret.example/' });
  for (const text of ['Green tea.', 'Green tea.', 'Black tea.']) await save(text);
  await server.send('GET', '/api/v1/capture/query?q=tea');
  await server.send('GET', '/api/v1/memories/unknown');
  await server.send('GET', '/api/v1/no-such-path');
  const { status, headers, body } = await server.send('GET', '/metrics');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const values = (samples: string[]) => samples.map((sample) => sampleOf(body, sample));
  expect(
    values([
      'recollect_captures_total{status="created"}',
      'recollect_captures_total{status="duplicate"}',
      'recollect_queries_total{retrieval="hybrid"}',
      'recollect_http_requests_total{operation="capture",status="200"}',
      'recollect_http_requests_total{operation="getMemory",status="404"}',
      'recollect_http_requests_total{operation="none",status="404"}',
      'recollect_http_request_duration_seconds_count{operation="capture"}',
      'recollect_memories',
      'recollect_memories_without_embeddings',
      'recollect_plugin_events_waiting',
      'recollect_store_readable',
      'recollect_store_writable',
    ]),
  ).toEqual([2, 1, 1, 3, 1, 1, 3, 2, 0, 0, 1, 1]);
  expect(sampleOf(body, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  expect(sampleOf(body, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  expect(body).not.toMatch(/secret|tea/i);
});

test('SYS-8: only the owner reads the metrics', async () => {
  server = await startTestServer({ metrics: true });
  const bearer = async (scope: 'memory:read' | 'admin') => {
    const { key } = await server.core.apiKeys.create(LOCAL_USER, { scopes: [scope] });
    return { authorization: `Bearer ${key}` };
  };
  expect((await server.send('GET', '/metrics', undefined, await bearer('memory:read'))).status).toBe(403);
  expect((await server.send('GET', '/metrics', undefined, await bearer('admin'))).status).toBe(200);
});

test('SYS-8: without the setting there are no metrics', async () => {
  server = await startTestServer({ metrics: false });
  expect((await server.send('GET', '/metrics')).status).toBe(404);
});

test('SYS-8: metrics are returned while the store cannot be read', async () => {
  server = await startTestServer({
    metrics: true,
    change: (core) => ({
      ...core,
      status: async () => {
        throw new Error('disk');
      },
    }),
  });
  const { status, body } = await server.send('GET', '/metrics');
  expect([status, sampleOf(body, 'recollect_store_readable'), sampleOf(body, 'recollect_memories')]).toEqual([
    200,
    0,
    undefined,
  ]);
});
