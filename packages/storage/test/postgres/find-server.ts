import pg from 'pg';
import { startPostgres } from './start-postgres.js';

/** A server on which tests make databases. */
export interface TestServer {
  /** Makes an empty database, and returns its URL. */
  createDatabase(): Promise<string>;
  /** Runs a statement as an administrator, in the database of a URL or in the first one. */
  run(statement: string, url?: string): Promise<void>;
  stop(): void;
}

const { RECOLLECT_TEST_POSTGRES_URL: given, RECOLLECT_TEST_POSTGRES_BIN: binaries } = process.env;

/** The folder of the programs of PostgreSQL with pgvector, for tests that stop and kill servers; null without one. */
export const programs = binaries ?? null;

/** Whether there is a server: its URL, or the folder of the programs of PostgreSQL with pgvector. */
export const hasServer = given !== undefined || binaries !== undefined;

/** Connects to the server that a variable names, or starts one. */
export async function findServer(): Promise<TestServer> {
  const started = given === undefined ? await startPostgres(binaries ?? '') : { url: given, remove() {} };
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
    stop: () => started.remove(),
  };
}
