import { createCore, LOCAL_USER, RecollectError } from '@recollect/core';
import { openStorage, type StorageDialect } from '@recollect/storage';
import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { sqliteDialect } from '../../src/sqlite/dialect.js';

/** Every read of a memory finds it changed. */
function createChanging(): KyselyPlugin {
  let reads = 0;
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      reads += 1;
      const rows = result.rows.map((row) => ('content_hash' in row ? { ...row, updated_at: `${reads}` } : row));
      return { ...result, rows };
    },
  };
}

test('EXP-2: a memory that changes every time it is read ends the export, which does not leave it out', async () => {
  const dialect: StorageDialect = {
    ...sqliteDialect,
    async connect(...given) {
      const connected = await sqliteDialect.connect(...given);
      return { ...connected, reader: connected.reader.withPlugin(createChanging()) };
    },
  };
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0, dialect });
  const { capture, records } = createCore(storage);
  await capture(LOCAL_USER, [{ pageText: 'Busy.' }]);
  const exported = records.export(LOCAL_USER)[Symbol.asyncIterator]().next();
  const error = await exported.catch((reason) => reason);
  await storage.close();
  expect(error).toBeInstanceOf(RecollectError);
  expect(error).toMatchObject({ code: 'UNAVAILABLE' });
});
