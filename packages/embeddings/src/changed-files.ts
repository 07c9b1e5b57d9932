import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * The files in the folder of a model that are missing or differ from its SHA256SUMS (in the format of `sha256sum`);
 * none if it has no such list.
 *
 * @example
 * await changedFiles(minilm.folder); // [] if it is as it was made
 */
export async function changedFiles(folder: string): Promise<string[]> {
  const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8').catch(() => '');
  const listed = [...sums.matchAll(/^([0-9a-f]{64}) [ *](?:\.\/)?(.+)$/gm)];
  const changed: string[] = [];
  for (const [, sum, file = ''] of listed) {
    const found = await hashOf(join(folder, file)).catch(() => null);
    if (found?.toString('hex') !== sum) changed.push(file);
  }
  return changed;
}

export async function hashOf(file: string): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest();
}
