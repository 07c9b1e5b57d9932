import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Sends part of a request. Returns the server's response and how many seconds it took. */
async function sendPart(part: string): Promise<{ seconds: number; answer: string }> {
  const socket = connect(server.port, '127.0.0.1');
  const startedAt = performance.now();
  socket.write(part.replaceAll('\n', '\r\n'));
  const answer = await text(socket);
  return { seconds: (performance.now() - startedAt) / 1_000, answer };
}

function expectProblem(answer: string): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 408 /);
  expect(head).toMatch(/content-type: application\/problem\+json/i);
  expect(head).toMatch(/connection: close/i);
  expect(JSON.parse(body)).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT', requestId: expect.any(String) });
}

describe('time', { concurrent: true }, () => {
  test('SEC-11, SYS-3: returns a problem document if the headers take longer than 10 s', async () => {
    const { seconds, answer } = await sendPart(
      `POST /api/v1/capture HTTP/1.1\nHost: localhost:${server.port}\nX-Slow: `,
    );
    expectProblem(answer);
    expect(seconds).toBeGreaterThan(9);
    expect(seconds).toBeLessThan(15);
  }, 40_000);

  test('SEC-11, SYS-3: returns a problem document if the body takes longer than 30 s', async () => {
    const { seconds, answer } = await sendPart(
      `POST /api/v1/capture HTTP/1.1\nHost: localhost:${server.port}\nContent-Type: application/json\nContent-Length: 100\n\n{`,
    );
    expectProblem(answer);
    expect(seconds).toBeGreaterThan(29);
    expect(seconds).toBeLessThan(36);
  }, 60_000);

  test('SEC-11: disconnects a client that reads nothing for a minute', async () => {
    const { byteLength } = await (await fetch(`${server.address}/openapi.json`)).arrayBuffer();
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    // More responses than the buffers in between can hold.
    socket.write(`GET /openapi.json HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`.repeat(200));
    await new Promise((resolve) => setTimeout(resolve, 63_000));
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    socket.resume();
    await closed;
    expect(received).toBeLessThan(200 * byteLength);
  }, 120_000);
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
  await expect.poll(held, { timeout: 5_000 }).toBeLessThanOrEqual(256);
  expect(held()).toBeGreaterThan(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await fetch(`${server.address}/healthz`)).status).toBe(200);
});
