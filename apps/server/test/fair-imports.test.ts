import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

const EXPORT =
  '{"recollect":"export","schema":1,"program":"0","exportedAt":"2026-01-31T12:00:00Z"}\n{"recollect":"end","memories":0}\n';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('PPL-10: an import of one person leaves room for the imports of others', async () => {
  const headersOf = async (name: string) => {
    const { id } = await server.core.people.create({ name });
    const { key } = await server.core.apiKeys.create(id);
    return { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  };
  const [ann, bob] = [await headersOf('Ann'), await headersOf('Bob')];
  const send = async (headers: Record<string, string>) =>
    (await server.send('POST', '/api/v1/import', EXPORT, headers)).status;

  const { address } = server;
  const slow = request(`${address}/api/v1/import`, { method: 'POST', headers: ann });
  const done = new Promise<number | undefined>((resolve, reject) => {
    slow.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  slow.write(EXPORT.slice(0, 10));
  await expect.poll(() => send(ann)).toBe(409);
  expect(await send(bob)).toBe(200);
  slow.end(EXPORT.slice(10));
  expect(await done).toBe(200);
  expect(await send(ann)).toBe(200);
});
