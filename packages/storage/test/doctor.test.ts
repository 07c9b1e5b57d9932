import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore, examine, type Finding, LOCAL_USER } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openDoctor, openSalvage, openStorage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let folder: string;
let file: string;
let url: string;
const backup = { path: '/b/recollect-1.db', at: '2026-11-01T00:00:00Z', isVerified: true };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  file = join(folder, 'recollect.db');
  url = `sqlite:${file}`;
});
afterEach(() => rm(folder, { recursive: true }));

/** Saves memories, and returns their ids and texts. */
const fill = async (count: number) => {
  const storage = await openStorage({ url, readers: 0 });
  const core = createCore({ ...storage, embeddingModel: createFakeModel() });
  const saved = new Map<string, string>();
  for (let at = 0; at < count; at++) {
    const pageText = Array.from({ length: 40 }, (_, line) => `Line ${line} of ${at} is about tea.`).join('\n');
    const { answer } = await core.capture(LOCAL_USER, [{ pageText, tags: ['tea', `t${at}`], note: 'n' }]);
    const id = answer.captures[0]?.id ?? '';
    await core.highlights.create(LOCAL_USER, id, { quote: `Line 0 of ${at}` });
    saved.set(id, pageText);
  }
  await storage.close();
  return saved;
};
const change = (...statements: string[]) => {
  const database = new Sqlite(file).unsafeMode(true);
  for (const statement of statements) database.exec(statement);
  database.close();
};
const examineStore = async ({ fixes = false, signal }: { fixes?: boolean; signal?: AbortSignal } = {}) => {
  const doctor = await openDoctor(url);
  try {
    return await examine({ doctor, newestBackup: async () => backup, now: new Date(), fixes, signal });
  } finally {
    await doctor.close();
  }
};
const unfixed = (findings: readonly Finding[]) =>
  findings.filter(({ severity, fixed }) => severity === 'error' && fixed !== true).map(({ check }) => check);

describe('doctor', () => {
  test('REL-6: finds nothing in a healthy store, which it does not change', async () => {
    await fill(3);
    const before = await readFile(file);
    const { ok, findings } = await examineStore();
    expect([ok, findings.filter(({ severity }) => severity === 'error')]).toEqual([true, []]);
    expect(new Set(findings.map(({ check }) => check)).size).toBeGreaterThanOrEqual(14);
    expect(await readFile(file)).toEqual(before);
  });

  test('REL-6: repairs derived data, so that a second check finds nothing', async () => {
    await fill(4);
    change(
      'delete from chunk_text where rowid in (1, 3)',
      "insert into chunk_text (rowid, scope, title, body, notes) values (900, 's', 't', 'b', 'n')",
      "delete from memory_tags where tag = 'tea'",
      "insert into memory_tags select user_id, 'never', id, 'never' from memories limit 1",
      "update embeddings set vector = x'01' where chunk_id = 2",
      'delete from embeddings where chunk_id = 4',
      "update sqlite_sequence set seq = 0 where name = 'index_changes'",
      'update memories set chunk_count = 7 where id = (select max(id) from memories)',
      'update memories set embedded_by = null where id = (select min(id) from memories)',
      'update store_counts set highlights = 9, pictures = 3',
    );
    await chmod(file, 0o644);
    const { ok, findings } = await examineStore();
    expect([ok, unfixed(findings).sort()]).toEqual([
      false,
      ['changes', 'counts', 'embeddings', 'permissions', 'tags', 'text index', 'vectors'],
    ]);
    const stopped = await examineStore({ fixes: true, signal: AbortSignal.abort() });
    expect(stopped.ok).toBe(false);
    expect(stopped.findings.some(({ fixed }) => fixed === true)).toBe(false);
    expect((await examineStore({ fixes: true })).ok).toBe(true);
    expect(unfixed((await examineStore()).findings)).toEqual([]);
    const storage = await openStorage({ url, readers: 0 });
    const core = createCore({ ...storage, embeddingModel: createFakeModel() });
    const { answer } = await core.query(LOCAL_USER, 'tag:t2 tea');
    expect(answer.results).toHaveLength(1);
    expect((await core.memories.counts(LOCAL_USER)).tags[0]).toEqual({ value: 'tea', count: 4 });
    await storage.close();
  });

  test('REL-6: rebuilds a damaged full-text index while the store is open elsewhere', async () => {
    await fill(2);
    change('delete from chunk_text_data where id > 10');
    const storage = await openStorage({ url, readers: 0 });
    expect(unfixed((await examineStore()).findings)).toEqual(['text index']);
    expect((await examineStore({ fixes: true })).ok).toBe(true);
    const core = createCore({ ...storage, embeddingModel: null });
    expect((await core.query(LOCAL_USER, 'tea')).answer.results).toHaveLength(2);
    await storage.close();
  });

  test('REL-6: names damaged memories and the newest backup', async () => {
    const [id] = [...(await fill(2)).keys()];
    change('drop trigger chunks_unseal_changed', `update chunks set text = 'x' where memory_id = '${id}'`);
    const { ok, findings } = await examineStore({ fixes: true });
    const [found] = findings.filter(({ check }) => check === 'memories');
    expect([ok, found?.severity, found?.fixed]).toEqual([false, 'error', undefined]);
    expect(found?.message).toMatch(new RegExp(`1 of 2.*${id}.*verified backup is recollect-1\\.db`));
  });
});

describe('a damaged file', () => {
  /** Overwrites pages in the middle of the file. */
  const overwrite = async (first: number, last: number) => {
    const bytes = await readFile(file);
    bytes.fill(0xa5, first * 8192, last * 8192);
    await writeFile(file, bytes);
  };

  test('REL-6: is opened read-only, also by the next process, until a whole file is in its place', async () => {
    await fill(30);
    // Nothing reads the truncated part.
    change('create table unread as select zeroblob(50000) as content');
    const whole = await readFile(file);
    await truncate(file, whole.length - 8192);
    const damaged = await readFile(file);
    for (let round = 0; round < 2; round++) {
      const storage = await openStorage({ url, readers: 0 });
      expect(storage.inspector.problem()?.code).toBe('STORE_DAMAGED');
      const core = createCore({ ...storage, embeddingModel: null });
      expect((await core.memories.list(LOCAL_USER)).memories.length).toBe(30);
      await expect(core.capture(LOCAL_USER, [{ pageText: 'x' }])).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
      await storage.close();
      expect(existsSync(`${file}-damaged`)).toBe(true);
      expect(await readFile(file)).toEqual(damaged);
    }
    expect((await examineStore({ fixes: true })).ok).toBe(false);
    await writeFile(file, whole);
    const storage = await openStorage({ url, readers: 0 });
    expect(storage.inspector.problem()).toBeNull();
    await storage.close();
    expect(existsSync(`${file}-damaged`)).toBe(false);
  });

  test('REL-6: the background check finds damage that no one has read, and stops all changes', async () => {
    await fill(30);
    const pages = (await stat(file)).size / 8192;
    await overwrite(pages - 3, pages);
    const storage = await openStorage({ url, readers: 0 });
    const core = createCore({ ...storage, embeddingModel: null });
    if (storage.inspector.problem() === null) expect((await core.checkStructure()).length).toBeGreaterThan(0);
    await expect(core.capture(LOCAL_USER, [{ pageText: 'x' }])).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    await storage.close();
    expect(existsSync(`${file}-damaged`)).toBe(true);
  });

  test('REL-6: salvage reads a store whose header is lost, which cannot be opened', async () => {
    const saved = await fill(5);
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill(0, 0, 90));
    await expect(openStorage({ url, readers: 0 })).rejects.toMatchObject({ refusal: 'not-a-database' });
    const texts: string[] = [];
    const found = await openSalvage(url, folder);
    for (const { record, isWhole } of found.memories()) if (isWhole) texts.push(record.text);
    await found.close();
    expect(texts).toEqual([...saved.values()]);
  });

  test('REL-6: salvage reads all that is left, from a copy', { tags: 'long' }, async () => {
    const saved = await fill(60);
    const pages = (await stat(file)).size / 8192;
    const database = new Sqlite(file, { readonly: true });
    const ofSchema = new Set(database.prepare("select pageno from dbstat where name = 'sqlite_schema'").pluck().all());
    database.close();
    /** The first of some pages from a place on without the schema, since nothing can be read without it. */
    const withoutSchema = (from: number, count: number) => {
      let first = Math.floor(from);
      while (Array.from({ length: count }, (_, at) => first + at + 1).some((page) => ofSchema.has(page))) first += 1;
      return [first, first + count] as const;
    };
    const counts: number[] = [];
    for (const [first, last] of [
      [0, 0],
      withoutSchema(pages / 2, 4),
      withoutSchema(pages / 4, 1),
      [pages - 5, pages],
    ] as const) {
      await overwrite(first, last);
      const damaged = await readFile(file);
      let whole = 0;
      const found = await openSalvage(url, folder);
      for (const { record, isWhole } of found.memories()) {
        if (!isWhole) continue;
        whole += 1;
        expect(record.text).toBe(saved.get(record.id));
      }
      await found.close();
      counts.push(whole);
      expect(await readFile(file)).toEqual(damaged);
    }
    expect(counts[0]).toBe(60);
    expect(Math.min(...counts)).toBeGreaterThan(10);
  });
});
