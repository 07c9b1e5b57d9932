import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfiguration } from '../config.js';

const pathOf = () => join(readConfiguration().dataFolder, 'last-results.json');

/** A memory of a list. */
export interface Listed {
  id: string;
  title: string;
}

/** Keeps what a list has shown, for `@1` in the next command. */
export async function rememberResults(results: readonly Listed[]): Promise<void> {
  if (results.length === 0) return;
  const path = pathOf();
  const partial = `${path}.${process.pid}`;
  try {
    await writeFile(partial, JSON.stringify(results.map(({ id, title }) => ({ id, title }))), { mode: 0o600 });
    await rename(partial, path);
  } catch {
    // A list is shown even if it cannot be kept, as on a full disk.
    await rm(partial, { force: true }).catch(() => {});
  }
}

/** What the last list has shown; nothing before the first one. */
export async function readLastResults(): Promise<Listed[]> {
  try {
    const results: unknown = JSON.parse(await readFile(pathOf(), 'utf8'));
    return Array.isArray(results) ? results.filter(isListed) : [];
  } catch {
    return [];
  }
}

function isListed(value: unknown): value is Listed {
  const { id, title } = (value ?? {}) as Partial<Listed>;
  return typeof id === 'string' && typeof title === 'string';
}
