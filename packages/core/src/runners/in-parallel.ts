/**
 * Processes items in order, up to `width` at a time. After a failure it starts no further item, waits for those in
 * progress, and rejects with the first failure, so that no work continues after the promise has settled.
 *
 * @example
 * await inParallel(ids, 4, (id) => core.memories.remove(LOCAL_USER, id));
 */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const item of waiting) {
      if (failures.length > 0) return;
      await work(item).catch((error) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}
