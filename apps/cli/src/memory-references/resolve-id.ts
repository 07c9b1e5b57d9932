import { count } from '@recollect/contract/text';
import { RecollectError } from '@recollect/core';
import type { Call } from '../executor/executor.js';
import { readLastResults } from './last-results.js';

/** Characters of a whole id. */
const WHOLE = 36;

/**
 * The id of a memory that a user has typed: a whole id, the beginning of one, or its place in the last list, such as
 * `@1`. Throws NOT_FOUND if several ids begin like this. An unknown name is returned unchanged, and reported where it
 * is used.
 */
export async function resolveMemoryId(call: Call, typed: string): Promise<string> {
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
export async function resolveChangeId(call: Call, typed: string): Promise<string> {
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
