import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@recollect/contract/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { adviseAfterRestore } from '../src/commands/restore/restore-in-server.js';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

test('BAK-9, BAK-10: a running server previews a backup, and starts again with it at the same address', async () => {
  const kept = await cli.save('Kept in the backup.');
  const gone = await cli.save('Deleted since.');
  const server = await cli.serve();
  const client = createClient({ baseUrl: server.address });
  const backup = await client('createBackup', {});
  const parameters = { name: basename(backup.path) };
  expect(await client('previewRestore', { parameters })).toMatchObject({
    ...parameters,
    memories: 2,
    difference: { backup: 2, store: 2, onlyInBackup: 0, onlyInStore: 0, changed: 0, days: [] },
  });
  await client('deleteMemory', { parameters: { id: gone } });
  await client('emptyTrash', { body: { ids: [gone] } });
  await client('updateMemory', { parameters: { id: kept }, body: { title: 'Changed since' } });
  const { captures } = await client('capture', { body: { pageText: 'Saved since.', capturedAt: '2026-11-29T08:00Z' } });
  const { difference } = await client('previewRestore', { parameters });
  expect(difference).toMatchObject({ onlyInBackup: 1, onlyInStore: 1, changed: 1 });
  expect(difference?.days).toContainEqual({ day: '2026-11-29', onlyInBackup: 0, onlyInStore: 1 });
  expect(difference?.newest.backup).toMatch(/^\d{4}-/);

  expect((await client('listBackups', {})).restored).toBeNull();
  expect(await client('restoreBackup', { parameters })).toEqual(parameters);
  const restored = () =>
    client('listBackups', {}).then(
      (list) => list.restored,
      () => null,
    );
  await expect.poll(restored).toMatchObject({ ...parameters, problem: null, replaced: expect.any(String) });
  const { memories } = await client('listMemories', { query: {} });
  expect(memories.map(({ id }) => id).sort()).toEqual([kept, gone].sort());
  expect(memories.map(({ title }) => title)).not.toContain('Changed since');
  const replaced = (await restored())?.replaced ?? '';
  expect(existsSync(join(replaced, 'recollect.db'))).toBe(true);
  expect(server.printed()).toContain(`Recollect has started again with the backup ${parameters.name}.`);
  // The former store can be restored in the same way.
  expect(await server.stop()).toBe(0);
  expect((await cli.json(['restore', join(replaced, 'recollect.db'), '--yes'])).memories).toBe(2);
  expect((await cli.json(['show', captures[0]?.id ?? ''])).text).toBe('Saved since.');
});

test('BAK-10: a backup that cannot be restored changes nothing, and the server keeps running', async () => {
  await cli.save('Kept.');
  const server = await cli.serve();
  const client = createClient({ baseUrl: server.address });
  const { path } = await client('createBackup', {});
  const parameters = { name: basename(path) };
  await writeFile(path, 'damaged');
  for (const operation of ['previewRestore', 'restoreBackup'] as const)
    await expect(client(operation, { parameters })).rejects.toThrow(
      'is not a backup of Recollect. Nothing was changed.',
    );
  await expect(client('restoreBackup', { parameters: { name: 'none.db' } })).rejects.toThrow(
    'No backup has this name.',
  );
  expect((await client('listMemories', { query: {} })).memories).toHaveLength(1);
  expect((await client('listBackups', {})).restored).toBeNull();
  expect(await server.stop()).toBe(0);
});

test('BAK-10: another process that has the store open keeps it from being replaced, and the server starts again', async () => {
  await cli.save('Kept.');
  const server = await cli.serve();
  const client = createClient({ baseUrl: server.address });
  const parameters = { name: basename((await client('createBackup', {})).path) };
  await client('capture', { body: { pageText: 'Saved since.' } });
  const { openStorage } = await import('@recollect/storage');
  const other = await openStorage({ url: `sqlite:${join(cli.folder, 'data', 'recollect.db')}`, readers: 0 });
  try {
    await client('restoreBackup', { parameters });
    const restored = () =>
      client('listBackups', {}).then(
        (list) => list.restored,
        () => null,
      );
    await expect
      .poll(restored)
      .toMatchObject({ problem: expect.stringMatching(/^The store is in use\./), replaced: null });
    expect((await client('listMemories', { query: {} })).memories).toHaveLength(2);
  } finally {
    await other.close();
  }
  expect(await server.stop()).toBe(0);
});

test('BAK-10: a server that cannot start again says how to go back', () => {
  const restored = { name: 'a.db', at: '', replaced: '/data/replaced-1', problem: null };
  expect(adviseAfterRestore(restored)).toBe(
    'Recollect could not start with the backup a.db, and has stopped. To go back to the former store, run ' +
      `recollect restore ${join('/data/replaced-1', 'recollect.db')}. recollect restore --list shows the backups, ` +
      'and recollect restore FILE restores one of them.',
  );
  expect(adviseAfterRestore({ ...restored, replaced: null, problem: 'The store is in use.' })).toMatch(
    /^Recollect could not start again after the restore of a\.db failed\. recollect restore --list /,
  );
});

test('BAK-10: a server whose port is taken during a restore stops with advice', { tags: 'long' }, async () => {
  await cli.save('Kept.');
  const server = await cli.serve();
  const client = createClient({ baseUrl: server.address });
  const parameters = { name: basename((await client('createBackup', {})).path) };
  const starts = () => server.printed().split('has started again').length;
  const takePort = () =>
    new Promise<Server | null>((resolve) => {
      const taking = createServer();
      taking.once('error', () => resolve(null));
      taking.listen(Number(new URL(server.address).port), '127.0.0.1', () => resolve(taking));
    });
  let other: Server | null = null;
  // The server may be faster: then it restores once more.
  while (other === null) {
    const before = starts();
    await client('restoreBackup', { parameters });
    while (other === null && starts() === before) {
      other = await takePort();
      await setTimeout(1);
    }
  }
  try {
    await expect.poll(server.errors, { timeout: 60_000 }).toContain('Recollect could not start with the backup');
    await expect.poll(server.errors, { timeout: 60_000 }).toMatch(/Port \d+ is in use/);
  } finally {
    other.close();
  }
});
