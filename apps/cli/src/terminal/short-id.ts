/** Characters of the time in an id: ids of different milliseconds differ in them. */
const TIME = 13;

/**
 * Shortens the ids of a list to beginnings that differ from each other. Each has at least the time of the id.
 *
 * @example shortenIds(['019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f']) // ['019f0c1e-7d3a']
 */
export function shortenIds(ids: readonly string[]): string[] {
  const sorted = [...new Set(ids)].sort();
  // Of sorted ids, the neighbours share the longest beginnings.
  const lengths = new Map(
    sorted.map((id, at) => [id, 1 + Math.max(commonLength(id, sorted[at - 1]), commonLength(id, sorted[at + 1]))]),
  );
  return ids.map((id) => id.slice(0, Math.max(TIME, lengths.get(id) ?? id.length)));
}

function commonLength(id: string, other = ''): number {
  let length = 0;
  while (length < other.length && id[length] === other[length]) length += 1;
  return length;
}

/** Returns the ids of a list for the output: shortened on a terminal, and whole in a pipe. */
export function shownIds(ids: readonly string[]): string[] {
  return process.stdout.isTTY ? shortenIds(ids) : [...ids];
}

/** Returns one id for the output, like {@link shownIds}. */
export function shownId(id: string): string {
  return shownIds([id])[0] ?? id;
}
