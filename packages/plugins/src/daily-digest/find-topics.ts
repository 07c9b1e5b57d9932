/** A memory of the digest, reduced to words that could name its topic and their weights: its text may be long. */
export interface Captured {
  id: string;
  words: ReadonlyMap<string, number>;
}

/** How many chunks of the store contain each word, and how many chunks exist. */
export type Frequencies = (words: readonly string[]) => Promise<{ total: number; counts: number[] }>;

export interface Topic {
  word: string;
  memories: Captured[];
}

/** Maximum number of words considered per memory and in total. */
const MAX_WORDS = { ofOne: 60, inAll: 2_000 };
const TITLE_WEIGHT = 3;
/** A word in more than this share of the store's chunks is not a topic. Applies only from this number of chunks on. */
const COMMON_WORD = { share: 0.25, from: 20 };

/** Words that name no topic, however rare they are in a small store. Shorter ones are left out anyway. */
const EMPTY = new Set(
  `about above after again against also although always among another around because been before being below best better between
  both cannot could does doing done down during each even ever every find first from further good have having here hers herself
  himself into itself just keep know last less like little long look made make many maybe more most much must myself need never
  next nothing often once only other otherwise ours ourselves over people really said same says second seem should since some
  something still such take than that their theirs them themselves then there these they thing things this those though through
  time today together under until upon used uses using very want well went were what when where whether which while whom whose
  will with within without would year years your yours yourself yourselves
  aber alle allem allen aller alles auch beim dann dass dein deine denn dies diese diesem diesen dieser dieses doch durch eine einem
  einen einer eines euch euer haben hatte hatten hier ihre ihrem ihren ihrer immer jede jedem jeden jeder jetzt kann keine können
  machen mehr mein meine muss nach nicht noch oder ohne sehr sein seine sich sind über unter viel wann warum weil wenn werden wieder
  wird wurde würde zwischen`.split(/\s+/),
);

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Counts the words of a text that could name a topic. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { segment, isWordLike } of segmenter.segment(text.slice(0, 20_000))) {
    const word = segment.normalize('NFKC').toLowerCase();
    const isName =
      /\p{L}/u.test(word) && (word.length > 3 || /\p{Script=Han}{2}/u.test(word)) && !/^(?:https?|www)/.test(word);
    if (isWordLike && isName && !EMPTY.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The most frequent words of a memory. Words of the title count three times. */
export function weighWords({ title, text }: { title: string; text: string }): Map<string, number> {
  const counts = countWords(text);
  for (const [word, count] of countWords(title)) counts.set(word, (counts.get(word) ?? 0) + TITLE_WEIGHT * count);
  return new Map([...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_WORDS.ofOne));
}

/**
 * Groups memories by topic, largest group first. A topic is the most characteristic word that several memories share,
 * by tf-idf over the store (Spärck Jones, 1972). Memories that share no topic are in no group.
 *
 * @example
 * const frequencies = async (words: readonly string[]) => ({ total: 1_000, counts: words.map(() => 5) });
 * const memories = ['a', 'b'].map((id) => ({ id, words: weighWords({ title: 'Oolong', text: '' }) }));
 * await findTopics(memories, frequencies, 8); // [{ word: 'oolong', memories }]
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
    .slice(0, MAX_WORDS.inAll);
  if (shared.length === 0) return [];
  const { total, counts } = await frequencies(shared);
  const rarity = new Map(
    shared
      .map((word, index) => ({ word, count: counts[index] ?? 0 }))
      .filter(({ count }) => total < COMMON_WORD.from || count <= COMMON_WORD.share * total)
      .map(({ word, count }) => [word, Math.log((total + 1) / (count + 0.5))]),
  );

  const groups = new Map<string, Captured[]>();
  const left = new Set(memories);
  while (groups.size < most && left.size > 1) {
    const best = findHeaviestWord(left, wordsOf, rarity);
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

/** The word with the greatest total weight among the words that at least two of the memories share. */
function findHeaviestWord(
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
