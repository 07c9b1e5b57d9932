import type { FakeModel } from '@recollect/core/testing';

/** Tool calls of MCP are answered within ten seconds. */
const LIMIT = 10_000;

/**
 * Lets a model answer only when it is told to stop. Returns whether it was told too late, which does not depend on the
 * machine's speed: the time of the server and the time of this function pass in one event loop, and the server's has
 * begun before.
 */
export function answerNothing(model: FakeModel): () => boolean {
  let isLate = false;
  const embed = (_: readonly string[], { signal }: { signal?: AbortSignal }) =>
    new Promise<never>((_resolve, reject) => {
      const limit = setTimeout(() => {
        isLate = true;
      }, LIMIT);
      signal?.addEventListener('abort', () => {
        clearTimeout(limit);
        reject(signal.reason);
      });
    });
  Object.assign(model, { embed });
  return () => isLate;
}
