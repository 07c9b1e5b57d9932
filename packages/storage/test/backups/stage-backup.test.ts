import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stageBackup } from '@recollect/storage/backups';
import { expect, test } from 'vitest';

test('BAK-4: a backup that may only be read is copied to a file that may be written and synced', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  try {
    const [source, target] = [join(folder, 'backup.db'), join(folder, 'candidate.db')];
    await writeFile(source, 'a backup');
    await chmod(source, 0o400);
    expect(await stageBackup(source, target, { passphrase: null })).toBe('done');
    expect(await readFile(target, 'utf8')).toBe('a backup');
    expect((await stat(target)).mode & 0o600).toBe(0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
});
