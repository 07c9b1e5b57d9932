import { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { LOCAL_USER } from '@recollect/core';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const isHealthy = async () => expect((await fetch(`${server.address}/healthz`)).status).toBe(200);

/** A client that keeps its side of the connection open when the server closes its own. */
async function open(request: string): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(request);
  socket.resume();
  return socket;
}

test('SEC-11: survives clients that reset their connection at once, after any request', async () => {
  for (const request of [
    'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
    'NONSENSE\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n',
    'POST /api/v1/capture HTTP/1.1\r\n',
  ]) {
    for (let at = 0; at < 20; at++) {
      const socket = await open(request);
      socket.resetAndDestroy();
    }
  }
  await isHealthy();
});

test('SEC-11, SYS-3: closes rejected connections even if the client keeps them open', async () => {
  for (const request of [
    'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
    'NONSENSE\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: evil.com\r\n\r\n',
  ]) {
    const sockets = await Promise.all(Array.from({ length: 256 }, () => open(request)));
    await vi.waitFor(isHealthy, { timeout: 60_000, interval: 200 });
    for (const socket of sockets) socket.destroy();
  }
});

/** The head of a capture whose body is longer than what follows. */
const half = (type: string) =>
  `POST /api/v1/capture HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n`;

test('REL-14: connections that sent nothing or half a request do not delay the shutdown', async () => {
  const sockets = await Promise.all([
    open(''),
    open('POST /api/v1/capture HT'),
    open(`GET /healthz HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`),
    // Half a body, and half a body of a request that is rejected before it has arrived.
    open(`${half('application/json')}{"pageText":`),
    open(`${half('text/plain')}{"pageText":`),
  ]);
  await isHealthy();
  // After ten seconds, a server that still waits closes all connections by force.
  const forced = vi.spyOn(Server.prototype, 'closeAllConnections');
  onTestFinished(() => forced.mockRestore());
  await server.stopListening();
  expect(forced).not.toHaveBeenCalled();
  for (const socket of sockets) socket.destroy();
  await server.listenAgain();
});

test('REL-14: answers a request whose body is still arriving during the shutdown', async () => {
  const body = JSON.stringify({ pageText: 'sent slowly' });
  const socket = connect(server.port, '127.0.0.1');
  const answer = text(socket);
  socket.write(
    `POST /api/v1/capture HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await isHealthy();
  const stopped = server.stopListening();
  const size = Math.ceil(body.length / 5);
  for (let at = 0; at < body.length; at += size) {
    await new Promise((resolve) => setTimeout(resolve, 600));
    socket.write(body.slice(at, at + size));
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 200 .*"status":"created"/s);
  await stopped;
  await server.listenAgain();
});

test('REL-14: answers an active request before the shutdown', async () => {
  let isLate = false;
  server.model.failure = () =>
    new Promise((_, reject) => {
      setTimeout(() => {
        isLate = true;
        reject(new Error('slow'));
      }, 500);
    });
  const answer = server.send('POST', '/api/v1/capture', { pageText: 'just in time' });
  await expect.poll(async () => (await server.core.memories.list(LOCAL_USER)).memories.length).toBe(1);
  await server.stopListening();
  expect([isLate, (await answer).status]).toEqual([true, 500]);
  server.model.failure = null;
  await server.listenAgain();
});

test('SEC-11: closes an idle keep-alive connection after a few seconds', { tags: 'long' }, async () => {
  const socket = await open(`GET /healthz HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`);
  const startedAt = performance.now();
  await new Promise((resolve) => socket.once('end', resolve));
  // Fastify's own limit is 72 s.
  expect(performance.now() - startedAt).toBeLessThan(60_000);
  socket.destroy();
});

test('SYS-3: never sends the error for later bytes as the response to an earlier request', async () => {
  const head = `Host: localhost:${server.port}\r\nContent-Type: application/json\r\n`;
  const whole = (body: string) =>
    `POST /api/v1/capture HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const after = [
    'NONSENSE\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
    `POST /api/v1/capture HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
  ];
  for (const [at, rest] of after.entries()) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(whole(JSON.stringify({ pageText: `sent before ${at}` })) + rest);
    expect([at, (await text(socket).catch(() => '')).slice(0, 13)]).toEqual([
      at,
      expect.stringMatching(/^$|^HTTP\/1.1 200 $/),
    ]);
  }
  // An error that has been sent is the only response, even if the rest of the body is malformed.
  const refused = connect(server.port, '127.0.0.1');
  refused.on('error', () => {});
  refused.write(
    `POST /api/v1/capture HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
  );
  setTimeout(() => refused.write('ZZZ\r\n'), 200);
  expect((await text(refused).catch(() => '')).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 415']);
  // A malformed body without a response before it gets an error.
  const wrong = connect(server.port, '127.0.0.1');
  wrong.write(`POST /api/v1/capture HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`);
  expect(await text(wrong)).toMatch(/^HTTP\/1\.1 400 [\s\S]*REQUEST_MALFORMED/);
  await isHealthy();
});

test('SEC-15: does not log a failure when a client disconnects in the middle of a body', async () => {
  const written: string[] = [];
  const write = process.stderr.write;
  process.stderr.write = ((chunk: string | Uint8Array) => written.push(String(chunk)) > 0) as typeof write;
  try {
    for (let at = 0; at < 20; at++) {
      const socket = await open(
        `POST /api/v1/capture HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":`,
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.resetAndDestroy();
    }
    await isHealthy();
  } finally {
    process.stderr.write = write;
  }
  expect(written.join('')).not.toContain('failed:');
});

test('SEC-1: checks each request of a connection separately', async () => {
  const own = `Host: localhost:${server.port}`;
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `GET /api/v1/memories HTTP/1.1\r\n${own}\r\n\r\nGET /api/v1/memories HTTP/1.1\r\n${own}\r\nOrigin: https://evil.com\r\n\r\nGET /api/v1/memories HTTP/1.1\r\n${own}\r\nConnection: close\r\n\r\n`,
  );
  const answer = await text(socket);
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403']);
});

test('SEC-11: checks an upgrade like any other request', async () => {
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==';
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.write(
    `GET /api/v1/memories HTTP/1.1\r\nHost: localhost:${server.port}\r\nOrigin: https://evil.com\r\n${upgrade}\r\n\r\n`,
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
});

test('KEY-3: requires a key over HTTP/1.0, which may come from a proxy that forwards nothing about its client', async () => {
  const ask = async (version: string, key = '') => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `GET /api/v1/memories HTTP/${version}\r\nHost: localhost:${server.port}\r\n${key}Connection: close\r\n\r\n`,
    );
    return (await text(socket)).split(' ')[1];
  };
  const { key } = await server.core.apiKeys.create(LOCAL_USER);
  expect([await ask('1.1'), await ask('1.0'), await ask('1.0', `Authorization: Bearer ${key}\r\n`)]).toEqual([
    '200',
    '401',
    '200',
  ]);
});
