/** A memory near to the one that wants tags. */
export interface Voter {
  tags: readonly string[];
  /** Those of its tags that were proposed here rather than given by a person. */
  ownTags: readonly string[];
  similarity: number;
}

export interface Proposal {
  tag: string;
  /** Share of the neighbours' votes, weighed by similarity, 0 to 1. */
  confidence: number;
}

/** Neighbours below this similarity have no vote: what is about something else is no authority. */
const NEAR = 0.3;
/** Below this confidence a tag is not worth a note. */
const LEAST = 0.25;
/** A tag that one neighbour alone has says more of that neighbour: it counts half. */
const ALONE = 0.5;

/**
 * Tags by the vote of the nearest neighbours, most confident first. What was proposed here before does not vote, so that
 * a guess does not become its own reason.
 */
export function chooseTags(voters: readonly Voter[], ignored: readonly string[]): Proposal[] {
  const votes = new Map<string, { weight: number; count: number }>();
  let total = 0;
  for (const { tags, ownTags, similarity } of voters) {
    const given = tags.filter((tag) => !ownTags.includes(tag) && !ignored.includes(tag));
    if (similarity < NEAR || given.length === 0) continue;
    total += similarity;
    for (const tag of given) {
      const { weight, count } = votes.get(tag) ?? { weight: 0, count: 0 };
      votes.set(tag, { weight: weight + similarity, count: count + 1 });
    }
  }
  return [...votes]
    .map(([tag, { weight, count }]) => {
      const share = (weight / total) * (count === 1 ? ALONE : 1);
      return { tag, confidence: Math.round(share * 100) / 100 };
    })
    .filter(({ confidence }) => confidence >= LEAST)
    .sort((a, b) => b.confidence - a.confidence || (a.tag < b.tag ? -1 : 1));
}
