import { open, readFile, rename } from 'node:fs/promises';
import type { StoreCopy } from '@recollect/core';
import { withPartialFile } from './partial-files.js';

/** Facts about a backup file; kept beside it, in a file with the same name and `.json`. */
export interface Report extends StoreCopy {
  version: 1;
}

/** Writes a report durably. */
export async function writeReport(backupPath: string, copy: StoreCopy): Promise<void> {
  const report: Report = { version: 1, ...copy };
  await withPartialFile(`${backupPath}.json`, async (partial) => {
    const file = await open(partial, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(report, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, `${backupPath}.json`);
  });
}

/** Null if there is none, or if it is not a report. */
export async function readReport(backupPath: string): Promise<StoreCopy | null> {
  try {
    const report = JSON.parse(await readFile(`${backupPath}.json`, 'utf8')) as Partial<Report> | null;
    const { bytes, sha256, memories, sequence } = report ?? {};
    const areNumbers = [bytes, memories, sequence].every(Number.isSafeInteger);
    if (!areNumbers || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return null;
    return { bytes, sha256, memories, sequence } as StoreCopy;
  } catch {
    return null;
  }
}
