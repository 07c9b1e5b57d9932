import { chmod } from 'node:fs/promises';
import { type AccessPolicy, isLoopback, SYSTEMD_SOCKET, unixPathOf } from './access-policy.js';
import type { App } from './bind-operation.js';

/** The first file descriptor that systemd passes to a program (sd_listen_fds). */
const FIRST_SYSTEMD_FD = 3;
/** Connecting takes the permission to write. The group of the folder or of the account is for the proxy. */
const SOCKET_MODE = 0o660;

/** Where a server listens. */
interface Listening {
  /** An address such as `http://127.0.0.1:4545`, or `unix:` and the path of the socket, if it is known. */
  address: string;
  /** 0 for a Unix socket. */
  port: number;
}

/** The socket that systemd opened is reachable from the network, but keys are not required. */
export class ExposedSocketError extends Error {
  override readonly name = 'ExposedSocketError';
}

/**
 * Starts listening where `policy.bind` says, and replaces a bind of {@link SYSTEMD_SOCKET} by the address of the
 * socket. Until then, no request is local.
 *
 * @throws {ExposedSocketError}
 */
export async function listen(app: App, policy: AccessPolicy, port: number): Promise<Listening> {
  const path = unixPathOf(policy.bind);
  if (policy.bind === SYSTEMD_SOCKET) await adoptSocket(app, policy);
  else if (path === null) await app.listen({ host: policy.bind, port });
  else await openUnixSocket(app, path);
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) return { address: `unix:${address ?? ''}`, port: 0 };
  const host = policy.bind.includes(':') ? `[${policy.bind}]` : policy.bind;
  return { address: `http://${host}:${address.port}`, port: address.port };
}

async function openUnixSocket(app: App, path: string): Promise<void> {
  await app.listen({ path });
  await chmod(path, SOCKET_MODE);
}

async function adoptSocket(app: App, policy: AccessPolicy): Promise<void> {
  // Before the first connection is accepted.
  app.server.once('listening', () => {
    const address = app.server.address();
    policy.bind = typeof address === 'object' && address !== null ? address.address : 'unix:';
  });
  // Without a host, Fastify would listen on the addresses of localhost as well.
  const options: { fd: number; host: string } = { fd: FIRST_SYSTEMD_FD, host: '127.0.0.1' };
  await app.listen(options);
  const isOpen = unixPathOf(policy.bind) === null && !isLoopback(policy.bind);
  if (!isOpen || policy.auth === 'required') return;
  await app.close();
  throw new ExposedSocketError(`The socket listens on ${policy.bind}.`);
}
