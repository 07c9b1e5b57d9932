import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enqueue } from '../dist/enqueue.js';
import { toConnection } from '../dist/sqlite/connection.js';
import { createDialect } from '../dist/sqlite/driver.js';
import { openConnection } from '../dist/sqlite/open-connection.js';
import { createPool } from '../dist/sqlite/pool.js';

describe.each([
  ['in its own thread', true],
  ['on the calling thread', false],
])('statements that are sent over a connection %s', (_, hasThreads) => {
  let folder: string;
  let connection: Awaited<ReturnType<typeof openConnection>>;
  // biome-ignore lint/suspicious/noExplicitAny: the table of this test is not a table of the store.
  let db: Kysely<any>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recollect-'));
    const path = join(folder, 'sent.db');
    await writeFile(path, '');
    connection = await openConnection({ path, readonly: false }, hasThreads);
    db = new Kysely({ dialect: createDialect(createPool([toConnection(connection)])) });
    await sql`create table words (word text primary key) strict`.execute(db);
  });
  afterAll(async () => {
    await connection.close();
    await rm(folder, { recursive: true });
  });

  const stored = async () =>
    (await db.selectFrom('words').select('word').orderBy('word').execute()).map(({ word }) => word);
  const insert = (word: string) => sql`insert into words values (${word})`;
  /** SQLite ends the transaction of this statement when it fails, as it does when the disk is full. */
  const insertOrRollBack = (word: string) => sql`insert or rollback into words values (${word})`;

  test('are stored with their transaction, in their order', async () => {
    await db.transaction().execute(async (trx) => {
      await enqueue(trx, insert('oil'));
      await enqueue(trx, sql`update words set word = 'lamp oil' where word = 'oil'`);
      expect((await sql<{ word: string }>`select word from words`.execute(trx)).rows).toEqual([{ word: 'lamp oil' }]);
      await enqueue(trx, insert('tea'));
    });
    expect(await stored()).toEqual(['lamp oil', 'tea']);
  });

  const fails = async (work: (trx: Parameters<typeof enqueue>[0]) => Promise<unknown>) => {
    await expect(db.transaction().execute(work)).rejects.toThrow('UNIQUE constraint failed: words.word');
    expect(await stored()).toEqual(['lamp oil', 'tea']);
  };

  test('fail the commit, and nothing is stored', async () => {
    await fails(async (trx) => {
      await enqueue(trx, insert('wick'));
      await enqueue(trx, insert('tea'));
      await enqueue(trx, insert('street'));
    });
  });

  test('REL-4: are not run after one of them made SQLite roll back', async () => {
    await fails(async (trx) => {
      await enqueue(trx, insert('wick'));
      await enqueue(trx, insertOrRollBack('tea'));
      await enqueue(trx, insert('street'));
      await insert('gas').execute(trx);
    });
    await fails(async (trx) => {
      await enqueue(trx, insertOrRollBack('tea'));
      await enqueue(trx, insert('street'));
    });
  });

  test('leave nothing for the next transaction when the work fails', async () => {
    const transaction = db.transaction().execute(async (trx) => {
      await enqueue(trx, insert('tea'));
      throw new Error('something else');
    });
    await expect(transaction).rejects.toThrow('something else');
    await db.transaction().execute((trx) => insert('wick').execute(trx));
    expect(await stored()).toEqual(['lamp oil', 'tea', 'wick']);
  });
});
