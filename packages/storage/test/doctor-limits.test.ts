import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createCore, type ExamineOptions, examine, LOCAL_USER } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openDoctor, openStorage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
let file: string;
let url: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  file = join(folder, 'recollect.db');
  url = `sqlite:${file}`;
});
afterEach(() => rm(folder, { recursive: true }));

const fill = async (count: number) => {
  const storage = await openStorage({ url, readers: 0 });
  const core = createCore({ ...storage, embeddingModel: createFakeModel() });
  const captures = Array.from({ length: count }, (_, at) => ({ pageText: `Tea ${at}. ${'word '.repeat(900)}` }));
  await core.capture(LOCAL_USER, captures);
  await storage.close();
};
const change = <T>(work: (database: Sqlite.Database) => T): T => {
  const database = new Sqlite(file).unsafeMode(true);
  try {
    return work(database);
  } finally {
    database.close();
  }
};
const examineStore = async (options: Partial<ExamineOptions> = {}) => {
  const doctor = await openDoctor(url);
  try {
    return await examine({ doctor, newestBackup: async () => null, now: new Date(), fixes: false, ...options });
  } finally {
    await doctor.close();
  }
};
const finding = ({ findings }: Awaited<ReturnType<typeof examineStore>>, name: string) =>
  findings.find(({ check }) => check === name);

/**
 * Makes an index differ from its table in every row: SQLite does not maintain an index that its schema does not name.
 */
const breakIndex = () => {
  const schema = change((database) => {
    const row = database.prepare("select * from sqlite_master where name = 'memories_by_time'").get();
    database.pragma('writable_schema = on');
    database.exec("delete from sqlite_master where name = 'memories_by_time'");
    return row as Record<string, unknown>;
  });
  change((database) => {
    database.exec("update memories set captured_at = '2020-01-01T00:00:00.000Z'");
    database.pragma('writable_schema = on');
    database.prepare('insert into sqlite_master values (:type, :name, :tbl_name, :rootpage, :sql)').run(schema);
  });
};

/** Overwrites a page of texts that opening the store does not read. Returns the file. */
const damageLastChunk = async () => {
  const page = change((database) => {
    const leaves = "select pageno from dbstat where name = 'chunks' and pagetype = 'leaf' order by pageno";
    return (database.prepare(leaves).pluck().all() as number[]).at(-1) ?? expect.fail('chunks has no leaf page.');
  });
  const bytes = await readFile(file);
  await writeFile(file, bytes.fill(0xa5, (page - 1) * 8192, page * 8192));
  return bytes;
};

test('REL-6: a check that is stopped does not clear the mark of a damaged store', async () => {
  await fill(30);
  await damageLastChunk();
  const storage = await openStorage({ url });
  expect((await storage.integrity.checkStructure()).length).toBeGreaterThan(0);
  await storage.close();
  expect(existsSync(`${file}-damaged`)).toBe(true);
  const stopping = new AbortController();
  const onProgress = (work: string) => {
    if (work === 'Checking the file') stopping.abort();
  };
  const report = await examineStore({ fixes: true, signal: stopping.signal, onProgress });
  expect([report.ok, finding(report, 'file')]).toEqual([false, undefined]);
  expect(existsSync(`${file}-damaged`)).toBe(true);
});

test('REL-6: an index that differs in many rows is rebuilt', async () => {
  await fill(30);
  breakIndex();
  const report = await examineStore({ fixes: true });
  expect(finding(report, 'indexes')).toMatchObject({ severity: 'error', fixed: true });
  expect(finding(await examineStore(), 'file')?.severity).toBe('ok');
});

test('REL-6: differences of an index do not hide pages that are damaged', async () => {
  await fill(30);
  breakIndex();
  const bytes = await damageLastChunk();
  const report = await examineStore({ fixes: true });
  expect(finding(report, 'file')).toMatchObject({ severity: 'error', message: expect.stringContaining('chunks') });
  expect(finding(report, 'file')?.fixed).toBeUndefined();
  expect(await readFile(file)).toEqual(bytes);
});

test('IDX-5: a memory that has lost its text does not keep the others from being embedded', async () => {
  await fill(3);
  change((database) => database.exec('delete from chunks where memory_id < (select max(id) from memories)'));
  const storage = await openStorage({ url, readers: 0 });
  const { indexing } = createCore({ ...storage, embeddingModel: createFakeModel('another') });
  const answers = [await indexing.reindex(LOCAL_USER, { batchSize: 1 }), await indexing.reindex(LOCAL_USER)];
  await storage.close();
  expect(answers.map(({ processed, remaining, status }) => [processed, remaining, status])).toEqual([
    [1, 0, 'completed'],
    [0, 0, 'completed'],
  ]);
});

/**
 * Linux's lists of the locks that this process holds by each of its descriptors. /proc/locks can repeat or miss one: it
 * is read in parts.
 */
const DESCRIPTORS = '/proc/self/fdinfo';

/** The locks of this process on the store's file. */
const locksOfStore = async () => {
  const { ino } = await stat(file);
  const lists = (await readdir(DESCRIPTORS)).map((descriptor) =>
    readFile(join(DESCRIPTORS, descriptor), 'utf8').catch(() => ''),
  );
  const lines = (await Promise.all(lists)).flatMap((list) => list.split('\n'));
  return lines.filter((line) => line.startsWith('lock:') && line.includes(`:${ino} `));
};

test.skipIf(!existsSync(DESCRIPTORS))('REL-6: a repair keeps the locks of the doctor (requires Linux)', async () => {
  await fill(3);
  const doctor = await openDoctor(url);
  try {
    expect(await locksOfStore()).toHaveLength(1);
    await doctor.fix('tags');
    expect(await locksOfStore()).toHaveLength(1);
  } finally {
    await doctor.close();
  }
});

test('REL-9: a store of an earlier version is examined as far as possible, and counts as whole', async () => {
  const released = new URL('fixtures/released-stores/0004-conversations.db.gz', import.meta.url);
  await writeFile(file, gunzipSync(await readFile(released)), { mode: 0o600 });
  for (const fixes of [false, true]) {
    const report = await examineStore({ fixes });
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect([finding(report, 'file')?.severity, finding(report, 'versions')]).toEqual([
      'ok',
      expect.objectContaining({ severity: 'warning', message: expect.stringContaining('is updated when') }),
    ]);
    expect(finding(report, 'memories')).toBeUndefined();
  }
});

test('REL-9: nothing is repaired in a store of a newer version', async () => {
  await fill(3);
  change((database) => {
    database.exec("insert into kysely_migration values ('9999-not-known-yet', '2030-01-01T00:00:00.000Z')");
    database.exec('delete from memory_tags');
  });
  breakIndex();
  const before = await readFile(file);
  const report = await examineStore({ fixes: true });
  expect(finding(report, 'versions')).toMatchObject({
    severity: 'error',
    message: expect.stringContaining('nothing is repaired. Update Recollect.'),
  });
  expect(report.findings.some(({ fixed }) => fixed !== undefined)).toBe(false);
  const doctor = await openDoctor(url);
  await expect(doctor.fix('indexes')).rejects.toMatchObject({ refusal: 'too-new' });
  await doctor.close();
  expect(await readFile(file)).toEqual(before);
});

test.skipIf(process.platform === 'win32')('REL-6: repaired permissions leave working folders usable', async () => {
  await fill(1);
  const working = join(folder, 'recollect.db-restoring-x');
  await mkdir(working);
  await chmod(working, 0o755);
  await chmod(file, 0o644);
  expect(finding(await examineStore({ fixes: true }), 'permissions')?.fixed).toBe(true);
  expect([(await stat(working)).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600]);
});
