import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Serves an attacker's page on a separate port. With `?cookie=`, the page sets a cookie, as another server on the same
 * host could.
 */
export async function serveAttacker(): Promise<{ port: number; close(): void }> {
  const server = createServer(({ url = '' }, response) => {
    const cookie = new URL(url, 'http://x').searchParams.get('cookie');
    if (cookie !== null) response.setHeader('set-cookie', cookie);
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>attacker</title><body>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
