/**
 * Chooses what to review: of each memory the first one in turn, so that one long book does not fill the day. They stay
 * in their order.
 *
 * @example
 * const listed = [{ id: 'a1', memoryId: 'a' }, { id: 'a2', memoryId: 'a' }, { id: 'b1', memoryId: 'b' }];
 * chooseForReview(listed, 2); // a1 and b1
 */
export function chooseForReview<T extends { memoryId: string }>(listed: readonly T[], most: number): T[] {
  const counts = new Map<string, number>();
  const turns = listed.map((item, place) => {
    const turn = counts.get(item.memoryId) ?? 0;
    counts.set(item.memoryId, turn + 1);
    return { item, place, turn };
  });
  return turns
    .sort((one, other) => one.turn - other.turn || one.place - other.place)
    .slice(0, most)
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
