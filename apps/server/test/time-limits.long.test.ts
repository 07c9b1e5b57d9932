import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, sendPart } from './send-part.js';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('time', { concurrent: true }, () => {
  test('SEC-11, SYS-3: returns a problem document if the body takes longer than 30 s', async () => {
    const { seconds, answer } = await sendPart(
      server.port,
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
