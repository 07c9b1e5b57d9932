/**
 * The number of letters to insert, remove, replace or swap with their neighbours to turn one word into another: the
 * optimal string alignment distance, which edits no part twice (Damerau, 1964, counted single edits). Returns `most` +
 * 1 for any greater distance. Letters are UTF-16 code units.
 *
 * @example
 * editDistance('recieve', 'receive', 2); // 1
 * editDistance('kowalczik', 'kowalczyk', 2); // 1
 * editDistance('bee', 'wasp', 2); // 3
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let cost = Math.min(
        (last[column] as number) + 1,
        (now[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (isSwapped) cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
      now.push(cost);
      if (cost < least) least = cost;
    }
    // The row before the last is at most one lower, and a swap costs one, so a swap cannot help.
    if (least > most) return most + 1;
    [beforeLast, last] = [last, now];
  }
  return Math.min(last[b.length] as number, most + 1);
}
