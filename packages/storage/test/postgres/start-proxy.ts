import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A network between a process and a server, which can be slow or fail. */
export interface NetworkProxy {
  port: number;
  /** Delays each part of a connection by milliseconds, in both directions. */
  delay(milliseconds: number): void;
  /** Passes nothing on, and closes nothing, as a machine without power. New connections get no answer. */
  stall(): void;
  close(): Promise<void>;
}

/** Starts a proxy before a port of this machine. */
export async function startProxy(target: number): Promise<NetworkProxy> {
  const sockets = new Set<Socket>();
  let pause = 0;
  let isStalled = false;
  const pass = async (from: Socket, to: Socket) => {
    try {
      for await (const part of from) {
        if (pause > 0) await setTimeout(pause);
        if (!isStalled) to.write(part);
      }
    } catch {
      // The other side ended.
    }
    if (!isStalled) to.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    void pass(client, upstream);
    void pass(upstream, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    delay(milliseconds) {
      pause = milliseconds;
    },
    stall() {
      isStalled = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
