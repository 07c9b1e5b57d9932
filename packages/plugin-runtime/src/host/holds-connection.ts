import { readdir, readFile, readlink } from 'node:fs/promises';

/** Ports of a TCP connection on this machine, as seen by the server. */
export interface LoopbackConnection {
  localPort: number;
  remotePort: number;
}

/**
 * Whether one of these processes opened a connection, by the kernel's tables (Linux; false elsewhere). A connection
 * that its client has closed counts as theirs, because its owner is unknown.
 */
export async function holdsConnection(pids: readonly number[], connection: LoopbackConnection): Promise<boolean> {
  if (pids.length === 0 || process.platform !== 'linux') return false;
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const inode = tables.map((table) => findInode(table, connection)).find((found) => found !== null);
  if (inode === undefined) return false;
  if (inode === '0') return true;
  const held = await Promise.all(pids.map((pid) => listSockets(pid)));
  return held.flat().includes(`socket:[${inode}]`);
}

/** The inode of the client's socket; `0` if no process holds it any more. */
function findInode(table: string, { localPort, remotePort }: LoopbackConnection): string | null {
  for (const line of table.split('\n')) {
    const [, local, remote, , , , , , , inode] = line.trim().split(/ +/);
    if (portOf(local) === remotePort && portOf(remote) === localPort) return inode ?? null;
  }
  return null;
}

function portOf(address: string | undefined): number {
  return Number.parseInt(address?.split(':').at(-1) ?? '', 16);
}

async function listSockets(pid: number): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
}
