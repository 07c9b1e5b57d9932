import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { holdsConnection } from '../src/host/holds-connection.js';

const accepted: Socket[] = [];
const server = createServer((socket) => accepted.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const client = spawn(process.execPath, ['-e', `require('net').connect(${port}, '127.0.0.1')`], { stdio: 'ignore' });
await once(server, 'connection');
afterAll(() => {
  client.kill('SIGKILL');
  for (const socket of accepted) socket.destroy();
  server.close();
});

describe.runIf(process.platform === 'linux')('SEC-14: the process that opened a connection', () => {
  const ends = (socket: Socket) => ({ localPort: port, remotePort: socket.remotePort ?? 0 });

  test('is found by the kernel, and no other process counts as it', async () => {
    const [socket] = accepted as [Socket];
    expect(await holdsConnection([client.pid ?? 0], ends(socket))).toBe(true);
    expect(await holdsConnection([process.pid], ends(socket))).toBe(false);
    expect(await holdsConnection([], ends(socket))).toBe(false);
  });

  test('counts as a plugin once it has closed its end, as long as one runs', async () => {
    const gone = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const [socket] = (await once(server, 'connection')) as [Socket];
    socket.pause();
    gone.destroy();
    await once(gone, 'close');
    expect(await holdsConnection([client.pid ?? 0], ends(socket))).toBe(true);
  });
});
