import { text } from 'node:stream/consumers';
import type { SendRequest } from '@recollect/contract/client';
import { unixPathOf } from '@recollect/server/access-policy';

// An import would read every export of node:http, one of which loads `fetch` and all that it needs.
const { Agent, request } = process.getBuiltinModule('node:http');

/** Both requests of a command use one connection. An idle one does not keep the process alive. */
const agent = new Agent({ keepAlive: true });

/** How requests reach a server. */
interface Connection {
  baseUrl: string;
  fetch: SendRequest;
}

/**
 * Connects to a server on this machine, at an address such as `http://127.0.0.1:4545` or `unix:/run/recollect.sock`.
 * Loading `fetch` takes longer than the whole request.
 */
export function connectTo(address: string): Connection {
  const socketPath = unixPathOf(address);
  // The gate knows a server at a Unix socket by this name.
  const [baseUrl, target] = socketPath === null ? [address, {}] : ['http://localhost', { socketPath }];
  return {
    baseUrl,
    fetch: (url, { method, headers, body, signal }) =>
      new Promise((resolve, reject) => {
        const options = { agent, ...target, method, headers, ...(signal === null ? {} : { signal }) };
        const sent = request(url, options, (response) => {
          const { statusCode: status = 0, headers: received } = response;
          const get = (name: string) => {
            const value = received[name.toLowerCase()];
            return Array.isArray(value) ? value.join(', ') : (value ?? null);
          };
          // A body that breaks off rejects here as well as where it is read.
          resolve({ ok: status >= 200 && status < 300, status, headers: { get }, text: () => text(response) });
        });
        sent.on('error', reject);
        sent.end(body ?? undefined);
      }),
  };
}

/** Whether a server answers that it is healthy. */
export function isReady(address: string): Promise<boolean> {
  const { baseUrl, fetch } = connectTo(address);
  return fetch(new URL(`${baseUrl}/healthz`), { method: 'GET', headers: {}, body: null, signal: null }).then(
    ({ ok }) => ok,
    () => false,
  );
}
