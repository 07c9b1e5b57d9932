import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { applyPragmas } from '../src/sqlite/pragmas.js';

test('REL-4: a WAL that grew while the store was read is cut once it is written back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-wal-'));
  const path = join(folder, 'recollect.db');
  const writer = new Sqlite(path);
  try {
    applyPragmas(writer);
    writer.exec('create table filler (content blob)');
    const reader = new Sqlite(path, { readonly: true });
    reader.exec('begin');
    reader.prepare('select count(*) from filler').get();
    for (let at = 0; at < 80; at++) writer.prepare('insert into filler values (zeroblob(1048576))').run();
    const size = () => statSync(`${path}-wal`).size;
    expect(size()).toBeGreaterThan(80 * 2 ** 20);
    reader.exec('commit');
    reader.close();
    writer.pragma('wal_checkpoint(full)');
    writer.prepare('insert into filler values (zeroblob(1))').run();
    expect(size()).toBeLessThanOrEqual(2 ** 26);
  } finally {
    writer.close();
    await rm(folder, { recursive: true, force: true });
  }
});
