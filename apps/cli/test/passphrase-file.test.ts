import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readPassphraseFile } from '../src/passphrase-file.js';

test.skipIf(process.platform === 'win32')('SEC-7: warns once of a passphrase file that others can read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-passphrase-'));
  const path = join(folder, 'passphrase');
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    await writeFile(path, 'correct horse', { mode: 0o600 });
    expect(await readPassphraseFile(path)).toBe('correct horse');
    expect(written).toEqual([]);
    await chmod(path, 0o644);
    expect(await readPassphraseFile(path)).toBe('correct horse');
    expect(await readPassphraseFile(path)).toBe('correct horse');
    expect(written).toEqual([`Other accounts can read the passphrase file ${path}. Run: chmod 600 ${path}\n`]);
  } finally {
    write.mockRestore();
    await rm(folder, { recursive: true });
  }
});
