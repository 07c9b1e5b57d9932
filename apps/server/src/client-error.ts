import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { RecollectError } from '@recollect/core';
import type { OpenRequests } from './open-requests.js';
import { toProblem } from './problem.js';

/** Milliseconds that a client has to read an error from the parser, and to read any other response. */
const TIMEOUTS = { refusal: 1_000, answer: 60_000 };

const ERROR_BY_CODE: Readonly<Record<string, RecollectError>> = {
  HPE_HEADER_OVERFLOW: new RecollectError('HEADERS_TOO_LARGE', 'The headers exceed 16 KiB, or there are too many.'),
  ERR_HTTP_REQUEST_TIMEOUT: new RecollectError(
    'REQUEST_TIMEOUT',
    'The headers did not arrive within 10 seconds, or the whole request within 30.',
  ),
};
const MALFORMED = new RecollectError('REQUEST_MALFORMED', 'The request is not valid HTTP.');
const CONNECT_UNSUPPORTED = new RecollectError(
  'METHOD_NOT_ALLOWED',
  'CONNECT is not supported: this server is not a proxy.',
);

/** Responds with a problem document to what Node's HTTP parser rejects before there is a request (SYS-3). */
export function addClientErrors(server: Server, openRequests: OpenRequests): void {
  server.on('request', (request, response) => {
    // Node has no timeout for this: a client that does not read would keep its connection forever.
    response.on('prefinish', () => {
      const late = setTimeout(() => request.socket.destroy(), TIMEOUTS.answer).unref();
      response.on('close', () => clearTimeout(late));
    });
  });

  /** Sends the document only if no other response is due or begun: the client would take it for that response. */
  const reject = (socket: Duplex, error: RecollectError, ...more: string[]) => {
    const [first, ...others] = openRequests.of(socket);
    const isOwnRequest = first === undefined || !(first.request.complete || first.response.headersSent);
    if (others.length === 0 && isOwnRequest) end(socket, error, ...more);
    else closeConnection(socket);
  };
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    reject(socket, ERROR_BY_CODE[error.code ?? ''] ?? MALFORMED);
  });
  // Node would close the connection without a response.
  server.on('connect', (_, socket) => reject(socket, CONNECT_UNSUPPORTED, 'Allow: GET, HEAD'));
  server.on('checkExpectation', rejectExpectation);
}

/** Closes the connection. Node has removed its error listener by now, and a reset without one would end the process. */
function closeConnection(socket: Duplex): void {
  socket.on('error', () => {});
  socket.destroy();
}

/** Sends a problem document and closes the connection, even if the client neither reads nor closes it. */
function end(socket: Duplex, error: RecollectError, ...more: string[]): void {
  if (!socket.writable) {
    closeConnection(socket);
    return;
  }
  socket.on('error', () => {});
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
  setTimeout(() => socket.destroy(), TIMEOUTS.refusal).unref();
}

/** Rejects an Expect header, which Node would answer with a bare 417 before the gate sees the request. */
function rejectExpectation(_: IncomingMessage, response: ServerResponse): void {
  const problem = toProblem(
    new RecollectError('REQUEST_MALFORMED', 'The only supported Expect header is 100-continue.'),
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
