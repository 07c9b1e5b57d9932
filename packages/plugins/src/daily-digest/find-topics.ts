/** A memory of the digest: not its text, which may be long, but the words that could name its topic, with their weight. */
export interface Captured {
  id: string;
  words: ReadonlyMap<string, number>;
}

/** How many chunks of the store hold each word, and how many there are. */
export type Frequencies = (words: readonly string[]) => Promise<{ total: number; counts: number[] }>;

export interface Topic {
  word: string;
  memories: Captured[];
}

/** Words of one memory that are weighed, and words weighed in all. */
const MOST = { ofOne: 60, inAll: 2_000 };
const TITLE_WEIGHT = 3;
/** A word that more of the store's chunks hold is no topic, once there are enough of them to tell. */
const COMMON = { share: 0.25, from: 20 };

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The words of a text that could name a topic, with how often they stand in it. */
export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { segment, isWordLike } of segmenter.segment(text.slice(0, 20_000))) {
    const word = segment.normalize('NFKC').toLowerCase();
    const isName =
      /\p{L}/u.test(word) && (word.length > 3 || /\p{Script=Han}{2}/u.test(word)) && !/^(?:https?|www)/.test(word);
    if (isWordLike && isName) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The words of a memory that weigh most, those of its title counted three times. */
export function weighWords({ title, text }: { title: string; text: string }): Map<string, number> {
  const counts = countWords(text);
  for (const [word, count] of countWords(title)) counts.set(word, (counts.get(word) ?? 0) + TITLE_WEIGHT * count);
  return new Map([...counts].sort(([, a], [, b]) => b - a).slice(0, MOST.ofOne));
}

/**
 * Groups memories by their topics, each under the word that is most telling of it among those that several share: by
 * tf-idf over the store (Spärck Jones, 1972). The largest group is first; memories that share no topic are in none.
 */
export async function findTopics(
  memories: readonly Captured[],
  frequencies: Frequencies,
  most: number,
): Promise<Topic[]> {
  const wordsOf = new Map(memories.map((memory) => [memory, memory.words]));
  const sharing = new Map<string, number>();
  for (const words of wordsOf.values())
    for (const word of words.keys()) sharing.set(word, (sharing.get(word) ?? 0) + 1);
  const shared = [...sharing]
    .filter(([, count]) => count > 1)
    .map(([word]) => word)
    .slice(0, MOST.inAll);
  if (shared.length === 0) return [];
  const { total, counts } = await frequencies(shared);
  const rarity = new Map(
    shared
      .map((word, index) => ({ word, count: counts[index] ?? 0 }))
      .filter(({ count }) => total < COMMON.from || count <= COMMON.share * total)
      .map(({ word, count }) => [word, Math.log((total + 1) / (count + 0.5))]),
  );

  const groups = new Map<string, Captured[]>();
  const left = new Set(memories);
  while (groups.size < most && left.size > 1) {
    const best = heaviest(left, wordsOf, rarity);
    if (best === null) break;
    const members = [...left].filter((memory) => wordsOf.get(memory)?.has(best));
    groups.set(best, members);
    for (const memory of members) left.delete(memory);
    rarity.delete(best);
  }
  return [...groups]
    .map(([word, found]) => ({ word, memories: found }))
    .sort((a, b) => b.memories.length - a.memories.length);
}

/** The word that weighs most over those memories, among the words that at least two of them have. */
function heaviest(
  left: ReadonlySet<Captured>,
  wordsOf: ReadonlyMap<Captured, ReadonlyMap<string, number>>,
  rarity: ReadonlyMap<string, number>,
): string | null {
  const weights = new Map<string, { weight: number; members: number }>();
  for (const memory of left) {
    for (const [word, count] of wordsOf.get(memory) ?? []) {
      const idf = rarity.get(word);
      if (idf === undefined || idf <= 0) continue;
      const { weight, members } = weights.get(word) ?? { weight: 0, members: 0 };
      weights.set(word, { weight: weight + (1 + Math.log(count)) * idf, members: members + 1 });
    }
  }
  const candidates = [...weights].filter(([, { members }]) => members > 1);
  const [best] = candidates.sort(([a, x], [b, y]) => y.weight - x.weight || (a < b ? -1 : 1));
  return best?.[0] ?? null;
}
