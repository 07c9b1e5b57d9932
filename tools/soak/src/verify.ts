import { differenceOf } from './compare-memory.js';
import type { Entry, Ledger } from './ledger.js';
import { isOk, type Send } from './send.js';

/** Memories that are read at once. */
const READERS = 8;

/** Reads everything that was acknowledged. Returns a sentence for each difference. */
export async function verify(send: Send, { entries }: Ledger): Promise<string[]> {
  const differences: string[] = [];
  const highlights = await readAll(send, '/api/v1/highlights', 'highlights');
  const trash = await readAll(send, '/api/v1/trash', 'memories');
  const queue = [...entries.values()];
  const check = async () => {
    for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
      const difference = differenceOf(entry, await send('GET', `/api/v1/memories/${entry.id}`));
      if (difference !== null) differences.push(difference);
      differences.push(...missingOf(entry, { highlights, trash }));
    }
  };
  await Promise.all(Array.from({ length: READERS }, check));
  return differences;
}

function missingOf(
  { id, states, highlights }: Entry,
  found: { highlights: Set<string>; trash: Set<string> },
): string[] {
  if (states.length > 1) return [];
  if (states[0] === 'trash') return found.trash.has(id) ? [] : [`${id}: is not in the trash`];
  return [...highlights]
    .filter((own) => !found.highlights.has(own))
    .map((own) => `${id}: the highlight ${own} is lost`);
}

/** The ids of all pages of a list. */
async function readAll(send: Send, path: string, field: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await send(
      'GET',
      `${path}?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    if (!isOk(answer)) throw new Error(`${path} returned ${answer.status}.`);
    for (const { id } of answer.body[field]) ids.add(id);
    cursor = answer.body.nextCursor;
  }
  return ids;
}
