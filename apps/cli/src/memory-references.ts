import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MemoryDetail } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { RecollectError } from '@recollect/core';
import { readConfiguration } from './config.js';
import type { CallOperation } from './executor/executor.js';
import { inert } from './terminal/output.js';

/** Characters of a whole id. */
const WHOLE = 36;

/**
 * The id of a memory that a user has typed: a whole id, the beginning of one, or its place in the last list, such as
 * `@1`. Throws NOT_FOUND if several ids begin like this. An unknown name is returned unchanged, and reported where it
 * is used.
 */
export async function resolveMemoryId(call: CallOperation, typed: string): Promise<string> {
  const id = await resolvePlace(typed);
  if (!isBeginning(id)) return id;
  const { memories } = await call('findIds', { query: { prefix: id.toLowerCase() } });
  return only(
    id,
    memories.map((memory) => memory.id),
    memories.map((memory) => `${memory.id} ${memory.title}${memory.isDeleted ? ' (in the trash)' : ''}`),
  );
}

/**
 * The id of a change that a user has typed: a whole id, or the beginning of one. Throws like {@link resolveMemoryId}.
 */
export async function resolveChangeId(call: CallOperation, typed: string): Promise<string> {
  if (!isBeginning(typed)) return typed;
  const { changes } = await call('findIds', { query: { prefix: typed.toLowerCase() } });
  return only(typed, changes, changes);
}

async function resolvePlace(typed: string): Promise<string> {
  const place = /^@(\d{1,4})$/.exec(typed)?.[1];
  if (place === undefined) return typed;
  const results = await readLastResults();
  const result = results[Number(place) - 1];
  if (result !== undefined) return result.id;
  const shown =
    results.length === 0
      ? 'No list has been shown yet.'
      : `The last list had ${count(results.length, 'memory', 'memories')}.`;
  throw new RecollectError('NOT_FOUND', `There is no ${typed}. ${shown}`);
}

/** Whether it may be the beginning of an id. Fewer than four characters are a mistake, not a choice. */
function isBeginning(typed: string): boolean {
  return typed.length < WHOLE && /^[0-9a-f-]{4,}$/i.test(typed);
}

function only(typed: string, ids: readonly string[], names: readonly string[]): string {
  const [id, ...others] = ids;
  if (id === undefined) return typed;
  if (others.length === 0) return id;
  throw new RecollectError('NOT_FOUND', `Several ids begin with ${typed}. Type more of one:\n  ${names.join('\n  ')}`);
}

/**
 * Reads a memory. Throws NOT_FOUND with what to type: for one in the trash how to get it back, else where to find ids.
 */
export async function readMemory(call: CallOperation, id: string): Promise<MemoryDetail> {
  try {
    return await call('getMemory', { parameters: { id } });
  } catch (error) {
    if (!(error instanceof RecollectError) || error.code !== 'NOT_FOUND') throw error;
    const trashed = await call('trashedMemory', { parameters: { id } }).catch(() => null);
    const sentence =
      trashed === null
        ? `${error.message} recollect recent and recollect search print ids.`
        : `${inert(trashed.title)} is in the trash. To restore it: recollect undelete ${trashed.id}`;
    throw new RecollectError('NOT_FOUND', sentence, { cause: error });
  }
}

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

/** The memories of the last list; none before the first list. */
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
