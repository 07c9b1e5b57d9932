import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem, sendPart } from './send-part.js';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('SEC-11, SYS-3: returns a problem document if the headers take longer than 10 s', { tags: 'long' }, async () => {
  const { seconds, answer } = await sendPart(
    server.port,
    `POST /api/v1/capture HTTP/1.1\nHost: localhost:${server.port}\nX-Slow: `,
  );
  expectProblem(answer);
  // Node's own limit is 60 s.
  expect(seconds).toBeGreaterThan(9);
  expect(seconds).toBeLessThan(50);
});

test('SEC-11: keeps at most 256 connections open, and continues to serve when they close', async () => {
  const open = async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    // A connection over the limit is accepted and closed at once, which only a reading client sees.
    socket.resume();
    await new Promise((resolve) => socket.on('connect', resolve).on('close', resolve));
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: 300 }, open));
  const held = () => sockets.filter(({ readyState }) => readyState === 'open').length;
  await expect.poll(held).toBeLessThanOrEqual(256);
  expect(held()).toBeGreaterThan(200);
  for (const socket of sockets) socket.destroy();
  await expect
    .poll(async () => (await fetch(`${server.address}/healthz`, { signal: AbortSignal.timeout(5_000) })).status)
    .toBe(200);
});
