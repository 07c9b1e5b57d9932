import { queryRows, startPostgres } from './start-postgres.js';

/** A server on which tests make databases. */
export interface TestServer {
  /** Makes an empty database, by default with the extension that only an administrator may add. Returns its URL. */
  createDatabase(options?: { hasExtension?: boolean }): Promise<string>;
  /** Runs a statement as the administrator, in the database of a URL or in the first one. */
  run(statement: string, url?: string): Promise<void>;
  /** The rows of a statement that it runs as the administrator. */
  query<Row extends object>(statement: string, url?: string): Promise<Row[]>;
  /** Whether the server has a major version or a later one. */
  isAtLeast(version: number): Promise<boolean>;
  stop(): void;
}

const { RECOLLECT_TEST_POSTGRES_URL: given, RECOLLECT_TEST_POSTGRES_BIN: binaries } = process.env;

/** The folder of the programs of PostgreSQL with pgvector, for tests that stop and kill servers; null without one. */
export const programs = binaries ?? null;

/** Owns the databases, since row-level security does not apply to an administrator. */
const OWNER = { name: 'recollect_tests', password: 'of-tests' };

/** Whether there is a server: its URL, or the folder of the programs of PostgreSQL with pgvector. */
export const hasServer = given !== undefined || binaries !== undefined;

/** Connects to the server that a variable names, or starts one. */
export async function findServer(): Promise<TestServer> {
  const started = given === undefined ? await startPostgres(binaries ?? '') : { url: given, remove() {} };
  let count = 0;
  const query = <Row extends object>(statement: string, url = started.url) => {
    const place = new URL(started.url);
    place.pathname = new URL(url).pathname;
    return queryRows<Row>(place.href, statement);
  };
  const run = async (statement: string, url?: string) => {
    await query(statement, url);
  };
  await run(`do $$ begin create role ${OWNER.name} login password '${OWNER.password}';
    exception when duplicate_object then null; end $$; grant ${OWNER.name} to current_user`);
  return {
    async createDatabase({ hasExtension = true } = {}) {
      const name = `recollect_test_${process.pid}_${++count}`;
      await run(`drop database if exists ${name} with (force)`);
      await run(`create database ${name} owner ${OWNER.name}`);
      const url = new URL(started.url);
      url.pathname = name;
      url.username = OWNER.name;
      url.password = OWNER.password;
      if (hasExtension) await run('create extension vector', url.href);
      return url.href;
    },
    run,
    query,
    async isAtLeast(version) {
      const [server] = await query<{ server_version_num: string }>('show server_version_num');
      return Number(server?.server_version_num) >= 10_000 * version;
    },
    stop: () => started.remove(),
  };
}
