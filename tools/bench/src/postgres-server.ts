import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The memory that an operator would give a server beside 100,000 memories. Commits are durable, as in SQLite. */
const SETTINGS = ['shared_buffers=512MB', 'max_wal_size=2GB', 'listen_addresses=127.0.0.1'];

const OWNER = 'owner';

export interface PostgresServer {
  /** Creates an empty database, and returns its URL, as its owner: row-level security spares an administrator. */
  createDatabase(name: string): string;
  stop(): void;
}

/**
 * Starts a server in a temporary folder.
 *
 * @param programs the folder of the programs of PostgreSQL with pgvector. They refuse to run as root, so that the
 * account `postgres` runs them then
 */
export async function startPostgres(programs: string): Promise<PostgresServer> {
  const data = mkdtempSync(join(tmpdir(), 'recollect-bench-postgres-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(data, Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })), -1);
  const run = (program: string, ...args: string[]) => {
    const [first = '', ...rest] = [
      ...(isRoot ? ['runuser', '-u', 'postgres', '--'] : []),
      join(programs, program),
      ...args,
    ];
    execFileSync(first, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  const port = await freePort();
  run('initdb', '-D', data, '-U', 'recollect', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync');
  const options = ['-p', String(port), '-k', data, ...SETTINGS.flatMap((setting) => ['-c', setting])];
  run('pg_ctl', '-D', data, '-w', '-l', join(data, 'log'), '-o', options.join(' '), 'start');
  const connection = ['-h', data, '-p', String(port), '-U', 'recollect'];
  run('createuser', ...connection, OWNER);
  return {
    createDatabase(name) {
      run('createdb', ...connection, '-O', OWNER, name);
      run('psql', ...connection, '-q', '-c', 'create extension vector', name);
      return `postgres://${OWNER}@127.0.0.1:${port}/${name}`;
    },
    stop() {
      run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop');
      rmSync(data, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
