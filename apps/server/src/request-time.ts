import type { IncomingMessage, Server } from 'node:http';

/** The time that requests have to arrive completely. */
export interface RequestTime {
  /**
   * Lifts the limit from a request whose body may be of any length. Its handler limits how long it waits for the next
   * part.
   */
  lift(request: IncomingMessage): void;
}

/**
 * Gives every request this many milliseconds to arrive completely. Node's own `requestTimeout` has no exceptions. A
 * request that is answered before it has arrived gets as much time again, so that its client can read the answer.
 */
export function limitRequestTime(server: Server, milliseconds: number): RequestTime {
  const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();
  const start = (request: IncomingMessage) => {
    const timer = setTimeout(() => {
      if (request.complete) return;
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', error, request.socket);
    }, milliseconds).unref();
    clearTimeout(timers.get(request));
    timers.set(request, timer);
  };
  server.prependListener('request', (request, response) => {
    start(request);
    response.once('finish', () => {
      if (request.complete) clearTimeout(timers.get(request));
      else start(request);
    });
    request.once('close', () => clearTimeout(timers.get(request)));
  });
  return { lift: (request) => clearTimeout(timers.get(request)) };
}
