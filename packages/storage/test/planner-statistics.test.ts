import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';

// An index without statistics seems to lead to ten rows of a user: the planner takes it for anything.
test('a new store has statistics of every index', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  try {
    const path = join(folder, 'recollect.db');
    const storage = await openStorage({ url: `sqlite:${path}`, readers: 0 });
    await storage.close();
    const database = new Sqlite(path, { readonly: true });
    const indexes = database
      .prepare(
        `select t.name || ': ' || coalesce(i.name, 'its rows') from pragma_table_list t
        left join pragma_index_list(t.name) i
        where t.type = 'table' and t.name not like 'sqlite%' and t.name not like 'kysely%'
          and t.name not in ('store_time', 'integrity_round')
          and not exists (select 1 from sqlite_stat1 s
            where s.tbl = t.name and s.idx is case when t.wr and i.origin = 'pk' then t.name else i.name end)`,
      )
      .pluck();
    expect(indexes.all()).toEqual([]);
    const unknown = database.prepare(
      `select idx from sqlite_stat1 s where idx <> tbl
        and not exists (select 1 from sqlite_master where type = 'index' and name = s.idx)`,
    );
    expect(unknown.pluck().all()).toEqual([]);
    database.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
