import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

const PASSWORD = 'of-tests';

/** A server of PostgreSQL that a test starts, stops and kills. */
export interface Postgres {
  /** Its URL, with the database of the administrator. */
  url: string;
  port: number;
  folder: string;
  start(): void;
  /** Kills it as a crash would: its processes have no time to write. Resolves once they have all ended. */
  kill(): Promise<void>;
  /** Starts a standby that follows it. */
  startStandby(): Promise<Postgres>;
  /** Makes a standby the primary. */
  promote(): void;
  /** Stops it, and removes its folder. */
  remove(): void;
}

export interface PostgresOptions {
  /** An empty folder for the data, or one on another file system; a new one by default. */
  folder?: string;
  /** More of the server's settings, as its command line has them. */
  settings?: string;
}

/** Starts a server in a new folder. It refuses to run as root, so that another account runs it then. */
export async function startPostgres(programs: string, options: PostgresOptions = {}): Promise<Postgres> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'recollect-postgres-'));
  const passwordFile = `${folder}.password`;
  writeFileSync(passwordFile, PASSWORD);
  giveToAccount(folder);
  const login = ['-U', 'recollect', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  runProgram(programs, 'initdb', ['-D', folder, ...login, '-E', 'UTF8', '--locale=C', '--no-sync']);
  rmSync(passwordFile);
  return startIn(programs, folder, options.settings ?? '');
}

async function startIn(programs: string, folder: string, settings: string): Promise<Postgres> {
  const run = (program: string, args: readonly string[]) => runProgram(programs, program, args);
  const port = await freePort();
  const url = `postgres://recollect:${PASSWORD}@127.0.0.1:${port}/postgres`;
  const start = () => {
    const options = `-p ${port} -c unix_socket_directories= -c listen_addresses=127.0.0.1 -c fsync=off -c shared_buffers=64MB ${settings}`;
    const log = join(folder, 'log');
    try {
      run('pg_ctl', ['-D', folder, '-w', '-o', options, '-l', log, 'start']);
    } catch (cause) {
      throw new Error(`The server did not start: ${readFileSync(log, 'utf8').slice(-2_000)}`, { cause });
    }
  };
  start();
  return {
    url,
    port,
    folder,
    start,
    async kill() {
      process.kill(Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
      while (hasProcesses(folder)) await setTimeout(20);
      // It names the process, which stays in the system's table where no parent asks for its end.
      rmSync(join(folder, 'postmaster.pid'));
    },
    async startStandby() {
      const copy = mkdtempSync(join(tmpdir(), 'recollect-postgres-'));
      giveToAccount(copy);
      run('pg_basebackup', ['-D', copy, '-d', url, '-R', '-c', 'fast', '--no-sync']);
      return startIn(programs, copy, settings);
    },
    promote: () => run('pg_ctl', ['-D', folder, '-w', 'promote']),
    remove() {
      try {
        run('pg_ctl', ['-D', folder, '-w', '-m', 'immediate', 'stop']);
      } catch {
        // It was killed.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isRoot = process.getuid?.() === 0;

/** The command that runs a program under an account that PostgreSQL accepts. */
export function asAccount(command: readonly string[]): [program: string, ...args: string[]] {
  const [first = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  return [first, ...rest];
}

/** Gives a folder to that account. */
export function giveToAccount(folder: string): void {
  if (isRoot) chownSync(folder, Number(spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' }).stdout), -1);
}

function runProgram(programs: string, program: string, args: readonly string[]): void {
  const [first, ...rest] = asAccount([join(programs, program), ...args]);
  const { status, stderr, error } = spawnSync(first, rest, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
}

/** Whether processes of a server still use its folder, in which they work. */
function hasProcesses(folder: string): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

/** Runs a statement over its own connection, and returns the rows. */
export async function queryRows<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Opens connections until the server has no more of them. The returned function closes them. */
export async function takeConnections(url: string): Promise<() => Promise<void>> {
  const taken: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      taken.push(client);
    } catch {
      return async () => {
        await Promise.all(taken.map((one) => one.end()));
      };
    }
  }
}

/**
 * A port that no program listens on. It is not one of those that the system gives to connections: while a server is
 * down, one that looks for it could get its port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
