import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A server on which tests make databases. */
export interface TestServer {
  /** Makes an empty database, and returns its URL. */
  createDatabase(): Promise<string>;
  /** Runs a statement as an administrator, in the database of a URL or in the first one. */
  run(statement: string, url?: string): Promise<void>;
  stop(): void;
}

const { RECOLLECT_TEST_POSTGRES_URL: given, RECOLLECT_TEST_POSTGRES_BIN: binaries } = process.env;

const PASSWORD = 'of-tests';

/** Whether there is a server: its URL, or the folder of the programs of PostgreSQL with pgvector. */
export const hasServer = given !== undefined || binaries !== undefined;

/** Connects to the server that a variable names, or starts one. */
export async function findServer(): Promise<TestServer> {
  const started = given === undefined ? await start(binaries ?? '') : { url: given, stop() {} };
  let count = 0;
  const run = async (statement: string, url = started.url) => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    async createDatabase() {
      const name = `recollect_test_${process.pid}_${++count}`;
      await run(`drop database if exists ${name} with (force)`);
      await run(`create database ${name}`);
      const url = new URL(started.url);
      url.pathname = name;
      return url.href;
    },
    run,
    stop: started.stop,
  };
}

/** Starts a server in a new folder. It refuses to run as root, so that another account runs it then. */
async function start(folder: string): Promise<{ url: string; stop(): void }> {
  const data = mkdtempSync(join(tmpdir(), 'recollect-postgres-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(data, Number(spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' }).stdout), -1);
  const run = (program: string, args: readonly string[]) => {
    const command = [join(folder, program), ...args];
    const [first = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    const { status, stderr, error } = spawnSync(first, rest, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
  };
  const port = await freePort();
  const passwordFile = `${data}.password`;
  writeFileSync(passwordFile, PASSWORD);
  const login = ['-U', 'recollect', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  run('initdb', ['-D', data, ...login, '-E', 'UTF8', '--locale=C', '--no-sync']);
  rmSync(passwordFile);
  const options = `-p ${port} -k ${data} -c listen_addresses=127.0.0.1 -c fsync=off -c shared_buffers=64MB`;
  run('pg_ctl', ['-D', data, '-w', '-o', options, '-l', join(data, 'log'), 'start']);
  return {
    url: `postgres://recollect:${PASSWORD}@127.0.0.1:${port}/postgres`,
    stop() {
      run('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']);
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
