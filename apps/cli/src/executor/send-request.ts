import { text } from 'node:stream/consumers';
import type { SendRequest } from '@recollect/contract/client';

// An import would read every export of node:http, one of which loads `fetch` and all that it needs.
const { Agent, request } = process.getBuiltinModule('node:http');

/** Both requests of a command use one connection. An idle one does not keep the process alive. */
const agent = new Agent({ keepAlive: true });

/** Sends requests to the server on this machine. Loading `fetch` takes longer than the whole request. */
export const sendRequest: SendRequest = (url, { method, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers, ...(signal === null ? {} : { signal }) }, (response) => {
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
  });
