import { appendFile, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStorage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { APPLICATION_ID } from '../dist/sqlite/identify-store.js';
import { SqliteError } from '../dist/sqlite/sqlite-error.js';
import { createStoreWatch } from '../dist/sqlite/store-watch.js';
import { openThreadConnection } from '../dist/sqlite/thread-connection.js';
import { openWriter } from '../dist/sqlite/writer.js';

test('REL-6, CAP-10: damage that is found after a failed sync is recorded, and the file is not opened again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'recollect.db');
  const database = new Sqlite(path);
  database.exec('pragma page_size = 8192; create table t (a text)');
  const insert = database.prepare('insert into t values (?)');
  for (let row = 0; row < 100; row++) insert.run('x'.repeat(1_000));
  database.close();

  /** A connection whose next sync fails. */
  const open = async () => {
    const connection = await openThreadConnection({ path, readonly: false });
    const run: typeof connection.run = async (sql, ...rest) => {
      if (sql === 'commit') throw new SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
      return connection.run(sql, ...rest);
    };
    return { ...connection, run };
  };
  let reopened = 0;
  const reopen = async (close: () => Promise<void>) => {
    reopened += 1;
    await close();
    return openThreadConnection({ path, readonly: false });
  };
  const reasons: string[] = [];
  const onDamage = (reason: string) => reasons.push(reason);
  const writer = await openWriter({ path, open, reopen, isInPlace: () => true, onDamage, reopenAfter: 20 });
  try {
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0xa5, bytes.length - 8192));
    await writer.run('begin immediate');
    await expect(writer.run('commit')).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(writer.problem?.code).toBe('STORE_HALTED');
    for (let tries = 0; tries < 1200 && writer.problem?.code !== 'STORE_DAMAGED'; tries++) await sleep(50);
    expect([writer.problem?.code, reasons.length, reopened]).toEqual(['STORE_DAMAGED', 1, 1]);
    await expect(writer.run('begin immediate')).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    await sleep(200);
    expect(reopened).toBe(1);
  } finally {
    await writer.close();
    await rm(folder, { recursive: true });
  }
});

test('REL-6: a read that finds damage halts changes only until a second look finds none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'recollect.db');
  new Sqlite(path).exec('create table t (a text)').close();
  /** The result of the structure check, and whether the WAL can be read. */
  const disk = { finding: 'ok', canReadLog: true };
  const open = async () => {
    const connection = await openThreadConnection({ path, readonly: false });
    const run: typeof connection.run = async (sql, ...rest) =>
      sql.includes('quick_check') ? { rows: [{ quick_check: disk.finding }] } : connection.run(sql, ...rest);
    return { ...connection, run };
  };
  const reopen = async (close: () => Promise<void>) => {
    await close();
    return open();
  };
  const reasons: string[] = [];
  const onDamage = (reason: string) => reasons.push(reason);
  const canReadLog = async () => disk.canReadLog;
  const writer = await openWriter({ path, open, reopen, isInPlace: () => true, canReadLog, onDamage, reopenAfter: 10 });
  const stateAfter = async (present: typeof disk) => {
    Object.assign(disk, present);
    await writer.suspect();
    return writer.problem?.code;
  };
  try {
    expect(await stateAfter({ finding: 'ok', canReadLog: true })).toBeUndefined();
    expect(await stateAfter({ finding: 'Tree 9 page 9: malformed', canReadLog: false })).toBe('STORE_HALTED');
    await expect(writer.run('begin immediate')).rejects.toMatchObject({ code: 'STORE_HALTED', retryAfter: 2 });
    const refused = { finding: 'Tree 9 page 9: unable to get the page. error code=8458', canReadLog: true };
    expect(await stateAfter(refused)).toBe('STORE_HALTED');
    disk.finding = 'ok';
    await expect.poll(() => writer.problem).toBeNull();
    await writer.run('insert into t values (1)');
    expect(await stateAfter({ finding: 'Tree 9 page 9: malformed', canReadLog: true })).toBe('STORE_DAMAGED');
    expect(reasons).toEqual(['Tree 9 page 9: malformed']);
  } finally {
    await writer.close();
    await rm(folder, { recursive: true });
  }
});

test('REL-4: a commit that failed on a full disk is not found after a crash, though its frames were written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'recollect.db');
  await writeFile(path, '');
  const open = () => openThreadConnection({ path, readonly: false });
  /** The rows that a start after a crash at this moment would find. */
  const rowsAfterCrash = async () => {
    const crashed = join(folder, 'crashed.db');
    await rm(`${crashed}-shm`, { force: true });
    for (const ending of ['', '-wal']) await copyFile(path + ending, crashed + ending);
    const database = new Sqlite(crashed);
    try {
      return database.prepare('select a from t').pluck().all();
    } finally {
      database.close();
    }
  };
  try {
    // The frames of the commit, as SQLite writes them.
    const first = await open();
    await first.run('create table t (a text)');
    const before = { file: await readFile(path), wal: await readFile(`${path}-wal`) };
    await first.run("insert into t values ('refused')");
    const after = await readFile(`${path}-wal`);
    await first.close();
    await writeFile(path, before.file);
    await writeFile(`${path}-wal`, before.wal);

    let isFull = false;
    const failing = async () => {
      const connection = await open();
      const run: typeof connection.run = async (sql, ...rest) => {
        if (!isFull || sql !== 'commit') return connection.run(sql, ...rest);
        await appendFile(`${path}-wal`, after.subarray(before.wal.length));
        expect(await rowsAfterCrash()).toEqual(['refused']);
        isFull = false;
        throw new SqliteError('database or disk is full', 'SQLITE_FULL');
      };
      return { ...connection, run };
    };
    const writer = await openWriter({ path, open: failing, reopen: open, isInPlace: () => true });
    expect((await writer.run('select a from t')).rows).toEqual([]);
    isFull = true;
    await writer.run('begin immediate');
    await writer.run("insert into t values ('refused')");
    await expect(writer.run('commit')).rejects.toMatchObject({ code: 'STORE_FULL' });
    expect(await rowsAfterCrash()).toEqual([]);
    expect(writer.problem).toBeNull();
    await writer.run("insert into t values ('kept')");
    expect(await rowsAfterCrash()).toEqual(['kept']);
    await writer.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('REL-2: a first start that is killed while the file is made a store leaves one that opens', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'recollect.db');
  try {
    const database = new Sqlite(path);
    database.exec(`pragma page_size = 8192; pragma application_id = ${APPLICATION_ID}`);
    const before = await readFile(path);
    database.pragma('user_version = 12345');
    database.close();
    await writeFile(`${path}-journal`, journalOf(before.subarray(0, 8192), before.length / 8192));

    const storage = await openStorage({ url: `sqlite:${path}` });
    expect(storage.inspector.problem()).toBeNull();
    await storage.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

/**
 * The journal of a transaction that has changed the first page, and was not committed
 * (sqlite.org/fileformat2.html#the_rollback_journal).
 */
function journalOf(page: Buffer, pages: number): Buffer {
  const header = Buffer.alloc(512);
  header.write('d9d505f920a163d7', 'hex');
  const [records, nonce] = [1, 7];
  for (const [at, field] of [records, nonce, pages, header.length, page.length].entries())
    header.writeUInt32BE(field, 8 + 4 * at);
  const [number, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  number.writeUInt32BE(1);
  let sum = nonce;
  for (let at = page.length - 200; at > 0; at -= 200) sum += page[at] ?? 0;
  checksum.writeUInt32BE(sum);
  return Buffer.concat([header, number, page, checksum]);
}

test('REL-4, REL-6: a store with one connection is not taken for another one after it was reopened', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'recollect.db');
  const database = new Sqlite(path);
  database.pragma('journal_mode = wal');
  database.exec('create table t (a text)');
  database.close();
  const watch = createStoreWatch(path);
  let fails = true;
  const open = async () => {
    const connection = await openThreadConnection({ path, readonly: false });
    const run: typeof connection.run = async (sql, ...rest) => {
      if (sql !== 'commit' || !fails) return connection.run(sql, ...rest);
      fails = false;
      throw new SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
    };
    return { ...connection, run };
  };
  const reopen = (close: () => Promise<void>) =>
    watch.whileLogsChange(async () => {
      await close();
      return open();
    });
  const writer = await openWriter({ path, open, reopen, isInPlace: watch.isInPlace, reopenAfter: 20 });
  watch.start({ halt: writer.halt, onDamage: () => {}, source: { run: writer.runAnyway } });
  const insert = async () => {
    await writer.run('begin immediate');
    await writer.run("insert into t values ('a')");
    await writer.run('commit');
  };
  try {
    await expect(insert()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await expect.poll(() => writer.problem).toBeNull();
    await insert();
    expect(writer.problem).toBeNull();
  } finally {
    await watch.stop();
    await writer.close();
    watch.close();
    await rm(folder, { recursive: true });
  }
});
