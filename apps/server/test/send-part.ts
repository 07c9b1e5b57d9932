import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';

/** Sends part of a request. Returns the server's response and how many seconds it took. */
export async function sendPart(port: number, part: string): Promise<{ seconds: number; answer: string }> {
  const socket = connect(port, '127.0.0.1');
  const startedAt = performance.now();
  socket.write(part.replaceAll('\n', '\r\n'));
  const answer = await text(socket);
  return { seconds: (performance.now() - startedAt) / 1_000, answer };
}

/** Expects the problem document of a request that took too long. */
export function expectProblem(answer: string): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 408 /);
  expect(head).toMatch(/content-type: application\/problem\+json/i);
  expect(head).toMatch(/connection: close/i);
  expect(JSON.parse(body)).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT', requestId: expect.any(String) });
}
