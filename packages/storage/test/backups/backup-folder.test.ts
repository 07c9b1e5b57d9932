import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { listBackups } from '../../src/backups/backup-folder.js';

test('BAK-1: lists the newest backup first, even within one second, and backups from the future last', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-backups-'));
  const names = [
    'recollect-2026-11-23T01-20-34Z-hourly.db',
    'recollect-2026-11-23T01-20-33Z-manual-10.db',
    'recollect-2026-11-23T01-20-33Z-manual-2.db',
    'recollect-2026-11-23T01-20-33Z-manual.db',
    'recollect-2027-11-23T01-20-33Z-manual.db',
  ];
  try {
    for (const name of names) await writeFile(join(folder, name), '');
    const listed = await listBackups(folder, new Date('2026-11-24T00:00:00Z'));
    expect(listed.map(({ path }) => basename(path))).toEqual(names);
  } finally {
    await rm(folder, { recursive: true });
  }
});
