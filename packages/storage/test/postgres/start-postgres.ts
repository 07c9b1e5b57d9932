import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PASSWORD = 'of-tests';

/** A server of PostgreSQL that a test starts, stops and kills. */
export interface Postgres {
  /** Its URL, with the database of the administrator. */
  url: string;
  port: number;
  folder: string;
  start(): void;
  /** Kills it as a crash would: its processes have no time to write. */
  kill(): void;
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
    const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c shared_buffers=64MB ${settings}`;
    run('pg_ctl', ['-D', folder, '-w', '-o', options, '-l', `${folder}/log`, 'start']);
  };
  start();
  return {
    url,
    port,
    folder,
    start,
    kill() {
      process.kill(Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
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

/** A port that no program listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
