import { lstat, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { RecollectError } from '@recollect/core';

/**
 * The path to write to. A folder that exists gets a new entry named after the day; any other path must not exist.
 * Throws VALIDATION_FAILED.
 */
export async function chooseTarget(out: string, format: 'jsonl' | 'markdown', now = new Date()): Promise<string> {
  const isFolder = await stat(out).then(
    (facts) => facts.isDirectory(),
    () => /[\\/]$/.test(out),
  );
  const day = now.toISOString().slice(0, 10);
  const name = format === 'jsonl' ? `recollect-${day}.jsonl` : `recollect-${day}`;
  const target = resolve(isFolder ? join(out, name) : out);
  if (!(await exists(target))) return target;
  throw new RecollectError(
    'VALIDATION_FAILED',
    `${target} exists already. Choose another name, or move it away first.`,
  );
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
