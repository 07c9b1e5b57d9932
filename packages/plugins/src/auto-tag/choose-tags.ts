/** A neighbour of the memory to tag. */
export interface Voter {
  tags: readonly string[];
  /** Its tags that this plugin added rather than a person. */
  ownTags: readonly string[];
  similarity: number;
}

export interface Proposal {
  tag: string;
  /** Share of the neighbours' votes, weighted by similarity, 0 to 1. */
  confidence: number;
}

/** Neighbours below this similarity have no vote, because they are about something else. */
const MIN_SIMILARITY = 0.3;
/** Tags below this confidence are not even noted. */
const MIN_CONFIDENCE = 0.25;
/** A tag that only one neighbour has counts half: it says more about that neighbour than about the topic. */
const SINGLE_VOTE_WEIGHT = 0.5;

/**
 * Chooses tags by the votes of the nearest neighbours, most confident first. Tags that this plugin added earlier do not
 * vote, so that its guesses do not reinforce themselves.
 *
 * @example
 * const neighbour = { tags: ['tea'], ownTags: [], similarity: 0.8 };
 * chooseTags([neighbour, neighbour], []); // [{ tag: 'tea', confidence: 1 }]
 */
export function chooseTags(voters: readonly Voter[], ignored: readonly string[]): Proposal[] {
  const votes = new Map<string, { weight: number; count: number }>();
  let total = 0;
  for (const { tags, ownTags, similarity } of voters) {
    const userTags = tags.filter((tag) => !ownTags.includes(tag) && !ignored.includes(tag));
    if (similarity < MIN_SIMILARITY || userTags.length === 0) continue;
    total += similarity;
    for (const tag of userTags) {
      const { weight, count } = votes.get(tag) ?? { weight: 0, count: 0 };
      votes.set(tag, { weight: weight + similarity, count: count + 1 });
    }
  }
  return [...votes]
    .map(([tag, { weight, count }]) => {
      const share = (weight / total) * (count === 1 ? SINGLE_VOTE_WEIGHT : 1);
      return { tag, confidence: Math.round(share * 100) / 100 };
    })
    .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
    .sort((a, b) => b.confidence - a.confidence || (a.tag < b.tag ? -1 : 1));
}
