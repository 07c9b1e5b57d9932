import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { RecollectError } from '@recollect/core';
import { toProblem } from './problem.js';

const OF_CODE: Readonly<Record<string, RecollectError>> = {
  HPE_HEADER_OVERFLOW: new RecollectError('HEADERS_TOO_LARGE', 'The headers are larger than 16 KiB.'),
  ERR_HTTP_REQUEST_TIMEOUT: new RecollectError(
    'REQUEST_TIMEOUT',
    'The headers did not arrive within 10 seconds, or the whole request within 30.',
  ),
};
const MALFORMED = new RecollectError('REQUEST_MALFORMED', 'The request is not valid HTTP.');

/** Answers what Node's HTTP parser refuses before there is a request, with the same document as all else (SYS-3). */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  end(socket, OF_CODE[error.code ?? ''] ?? MALFORMED);
}

/** Refuses to be a proxy: Node would hang up without a word. */
export function answerConnect(_: IncomingMessage, socket: Duplex): void {
  end(
    socket,
    new RecollectError('METHOD_NOT_ALLOWED', 'CONNECT is not taken here: this is no proxy.'),
    'Allow: GET, HEAD',
  );
}

function end(socket: Duplex, error: RecollectError, ...more: string[]): void {
  const problem = toProblem(error, randomUUID());
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    ...more,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Refuses an Expect header that Node would answer with a bare 417 before the gate sees the request. */
export function answerUnmetExpectation(_: IncomingMessage, response: ServerResponse): void {
  const problem = toProblem(
    new RecollectError('REQUEST_MALFORMED', 'Send no Expect header but 100-continue.'),
    randomUUID(),
  );
  response.writeHead(problem.status, {
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(JSON.stringify(problem));
}
