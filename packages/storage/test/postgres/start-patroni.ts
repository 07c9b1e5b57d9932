import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { asAccount, freePort, giveToAccount } from './start-postgres.js';

const PASSWORD = 'of-tests';
const { RECOLLECT_TEST_PATRONI: command = 'patroni' } = process.env;

/** Why there is no cluster: the program that is missing. Null if there can be one. */
export function missingForPatroni(): string | null {
  const [program, ...args] = asAccount([...command.split(' '), '--version']);
  if (spawnSync(program, args, { stdio: 'ignore' }).status !== 0) return 'patroni, or RECOLLECT_TEST_PATRONI';
  return spawnSync('etcd', ['--version'], { stdio: 'ignore' }).status === 0 ? null : 'etcd';
}

/** Three servers of PostgreSQL, of which Patroni makes another one the leader when it is lost. */
export interface PatroniCluster {
  /** The address of a database on all of them. */
  url: string;
  /** Kills the leader with its Patroni. */
  killLeader(): Promise<void>;
  /** Starts the killed ones again, as followers. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface Node {
  name: string;
  port: number;
  api: number;
  folder: string;
  process: ChildProcess | null;
}

/** Starts etcd and three nodes, whose commits wait for a second node. Resolves once all of them follow the leader. */
export async function startPatroni(programs: string): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-patroni-'));
  giveToAccount(folder);
  const [client, peer] = [await freePort(), await freePort()];
  const etcd = spawn(
    'etcd',
    [
      ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', `http://127.0.0.1:${client}`],
      ...['--advertise-client-urls', `http://127.0.0.1:${client}`, '--listen-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-cluster', `default=http://127.0.0.1:${peer}`],
    ],
    { stdio: 'ignore' },
  );
  const nodes: Node[] = [];
  for (const name of ['a', 'b', 'c']) {
    const place = join(folder, name);
    mkdirSync(place, { mode: 0o700 });
    giveToAccount(place);
    const node: Node = { name, port: await freePort(), api: await freePort(), folder: place, process: null };
    writeFileSync(join(folder, `${name}.yaml`), configurationOf(node, programs, client));
    nodes.push(node);
  }

  const start = (node: Node) => {
    const [program, ...args] = asAccount([...command.split(' '), join(folder, `${node.name}.yaml`)]);
    node.process = spawn(program, args, { stdio: 'ignore' });
  };
  const ask = async ({ api }: Node, path: string) => {
    const response = await fetch(`http://127.0.0.1:${api}/${path}`).catch(() => null);
    return response?.status === 200;
  };
  const findLeader = async () => {
    for (const node of nodes) if (node.process !== null && (await ask(node, 'primary'))) return node;
    return null;
  };
  const whenWhole = async () => {
    const isWhole = async () => {
      const followers = await Promise.all(nodes.map((node) => ask(node, 'replica')));
      const synchronous = await Promise.all(nodes.map((node) => ask(node, 'synchronous')));
      return followers.filter(Boolean).length === nodes.length - 1 && synchronous.some(Boolean);
    };
    while (!(await isWhole()) || (await findLeader()) === null) await setTimeout(200);
  };
  for (const node of nodes) start(node);
  await whenWhole();

  return {
    url: `postgres://recollect:${PASSWORD}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}/postgres`,
    async killLeader() {
      const leader = await findLeader();
      if (leader === null) throw new Error('There is no leader.');
      const pid = Number(readFileSync(join(leader.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
      await killTree(leader);
      process.kill(pid, 'SIGKILL');
    },
    async restart() {
      for (const node of nodes) if (node.process === null) start(node);
      await whenWhole();
    },
    async stop() {
      for (const node of nodes) {
        // Patroni stops its server when it is asked to end.
        node.process?.kill('SIGTERM');
        if (node.process?.exitCode === null) await once(node.process, 'exit');
      }
      etcd.kill();
      await once(etcd, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Kills Patroni itself, and the process that gave it its account. */
async function killTree(node: Node): Promise<void> {
  const { process: child } = node;
  if (child === null) return;
  node.process = null;
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' });
  for (const pid of stdout.split('\n').map(Number)) if (pid > 0) process.kill(pid, 'SIGKILL');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The settings of a node, with the shortest times that Patroni accepts for finding that a leader is lost. */
function configurationOf({ name, port, api, folder }: Node, programs: string, etcd: number): string {
  const login = (username: string) => ({ username, password: PASSWORD });
  return JSON.stringify({
    scope: 'recollect',
    name,
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { shared_buffers: '64MB', max_connections: 60 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, 'data'),
      bin_dir: programs,
      pgpass: join(folder, 'pgpass'),
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
      authentication: { superuser: login('recollect'), replication: login('replicator'), rewind: login('rewinder') },
    },
  });
}
