import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removePartialFiles, withPartialFile } from '../../dist/backups/partial-files.js';

/** No process has this id: it is above the highest one of every system. */
const DEAD = 2 ** 30;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-partial-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A file with a name like the given one, with another process, machine and age. */
async function leave(partial: string, change: (name: string) => string, minutes = 0): Promise<string> {
  const path = change(partial);
  await writeFile(path, 'unfinished');
  const at = new Date(Date.now() - minutes * 60_000);
  await utimes(path, at, at);
  return path;
}

test('REL-7: removes the files of dead processes, and keeps files that another process or machine may be writing', async () => {
  await withPartialFile(join(folder, 'recollect-1.db'), async (own) => {
    await writeFile(own, 'in use');
    const elsewhere = (name: string) => name.replace(/[0-9a-f]{8}-\d+\.partial$/, `00000000-${DEAD}.partial`);
    const kept = [
      await leave(own, (name) => name.replace(/\d+\.partial$/, `${process.ppid}.partial`), 30),
      await leave(own, elsewhere, 30),
      await leave(own, () => join(folder, `other.00000000-${DEAD}.partial`), 90),
    ];
    const removed = [
      await leave(own, (name) => name.replace(/\d+\.partial$/, `${DEAD}.partial`)),
      // The process has the same id as the process that was writing the file.
      await leave(
        own,
        (name) => name.replace('-1.db', '-2.db').replace(/\d+\.partial$/, `${process.ppid}.partial`),
        90,
      ),
      await leave(own, (name) => elsewhere(name).replace('-1.db', '-2.db'), 90),
      await leave(own, (name) => `${name.replace('-1.db', '-3.db')}-journal`),
    ];
    const old = new Date(0);
    await utimes(own, old, old);
    await removePartialFiles(folder, 'recollect-');
    expect(removed.filter((path) => existsSync(path))).toEqual([]);
    expect((await readdir(folder)).map((name) => join(folder, name)).sort()).toEqual([own, ...kept].sort());
  });
});
