import type { CorePorts } from '../ports/core-ports.js';
import type { LinkingNote } from '../ports/index.js';
import { parseTerms } from '../retrieval/parse-query.js';
import { toPhrase } from '../text/normalise-text.js';

/** Hits whose titles are compared. Words of a title count most in the index, so the best hits have them there. */
const DEPTH = 50;

/**
 * Returns the memories whose titles begin with a text, by title, and then memories with its words in their titles, the
 * best first. Only the best hits of the full-text index are read, so the cost does not grow with the store.
 */
export async function completeTitles(
  { memories, textIndex }: Pick<CorePorts, 'memories' | 'textIndex'>,
  userId: string,
  typed: string,
  limit: number,
): Promise<LinkingNote[]> {
  const begun = await memories.titlesBeginningWith(userId, typed.trimStart(), limit);
  const words = toPhrase(typed);
  if (begun.length === limit || words.length === 0) return begun;
  const { hits } = await textIndex.search(userId, parseTerms(typed, true), { limit: DEPTH, filter: {} });
  const known = new Set(begun.map(({ id }) => id));
  const others = new Map(hits.filter(({ memoryId }) => !known.has(memoryId)).map((hit) => [hit.memoryId, hit]));
  const read = await memories.readHits(userId, [...others.values()]);
  const containing = [...others.keys()].flatMap((id): LinkingNote[] => {
    const memory = read.get(id);
    if (memory === undefined || !hasWords(memory.title, words)) return [];
    return [{ id, title: memory.title, capturedAt: memory.capturedAt }];
  });
  return [...begun, ...containing].slice(0, limit);
}

/** Whether each of these words begins a word of a title. */
function hasWords(title: string, words: readonly string[]): boolean {
  const own = toPhrase(title);
  return words.every((word) => own.some((one) => one.startsWith(word)));
}
