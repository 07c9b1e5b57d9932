import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { formatName, openBackups } from '../../dist/backups/index.js';
import { syncFolder } from '../../dist/backups/write-backup.js';

const now = new Date('2026-11-23T01:20:33.000Z');

const open = (folder: string, dataFolder: string) =>
  openBackups({
    folder,
    dataFolder,
    async copy(target) {
      await writeFile(target, 'copy');
      return { bytes: 4, sha256: '0'.repeat(64), memories: 1, sequence: 1 };
    },
    readPassphrase: null,
    isAutomatic: true,
    clock: { now: () => now },
  });

test('BAK-1: backups of the same second have different names, also in a folder that the user names', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'recollect-open-backups-'));
  try {
    const out = join(dataFolder, 'out');
    await mkdir(out);
    const backups = open(join(dataFolder, 'backups'), dataFolder);
    const paths = [];
    for (const options of [{}, {}, { out }, { out }]) paths.push((await backups.create('manual', options)).path);
    expect(new Set(paths).size).toBe(4);
    expect((await readdir(out)).length).toBe(2);
  } finally {
    await rm(dataFolder, { recursive: true });
  }
});

test('BAK-4, REL-7: removes the remains of a dead process with the same file name', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'recollect-open-backups-'));
  try {
    const target = join(dataFolder, 'out', 'my.db');
    await mkdir(dirname(target));
    const old = new Date(0);
    for (const name of ['my.db', 'other.db']) {
      const left = join(dataFolder, 'out', `${name}.00000000-1.partial`);
      await writeFile(left, 'unfinished');
      await utimes(left, old, old);
    }
    await open(join(dataFolder, 'backups'), dataFolder).create('manual', { out: target });
    expect((await readdir(dirname(target))).sort()).toEqual(['my.db', 'other.db.00000000-1.partial']);
  } finally {
    await rm(dataFolder, { recursive: true });
  }
});

test('BAK-1, REL-7: leaves no backup whose report cannot be written', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'recollect-open-backups-'));
  try {
    const folder = join(dataFolder, 'backups');
    const backups = open(folder, dataFolder);
    const name = formatName({ kind: 'manual', at: now.toISOString(), isEncrypted: false });
    const obstacle = join(folder, `${name}.json`, 'a folder where the report should be');
    await mkdir(obstacle, { recursive: true });
    await expect(backups.create('manual')).rejects.toMatchObject({ code: 'BACKUP_FAILED' });
    expect(await readdir(folder)).toEqual([`${name}.json`]);
    await rm(join(folder, `${name}.json`), { recursive: true });
    expect((await backups.create('manual')).path).toBe(join(folder, name));
  } finally {
    await rm(dataFolder, { recursive: true });
  }
});

test.skipIf(process.platform !== 'linux')('REL-7: accepts file systems that cannot sync a folder', async () => {
  // A folder of this file system answers EINVAL.
  await syncFolder('/proc/self');
  await expect(syncFolder('/missing')).rejects.toMatchObject({ code: 'ENOENT' });
});
