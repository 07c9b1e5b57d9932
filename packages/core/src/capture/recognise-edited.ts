import type { NewMemory } from '../memory.js';
import type { MemoryStore } from '../ports/index.js';

/**
 * Recognises what the user has corrected since it was imported, so that the same import brings no second memory with the uncorrected
 * text. This is for imports only: someone who saves a single text wants exactly that text.
 */
export async function recogniseEdited(
  memories: Pick<MemoryStore, 'withFormerText'>,
  userId: string,
  drafts: readonly NewMemory[],
): Promise<NewMemory[]> {
  const found = await memories.withFormerText(
    userId,
    drafts.map(({ contentHash }) => contentHash),
  );
  const ids = new Map(found.map(({ contentHash, id }) => [contentHash, id]));
  return drafts.map((draft) => {
    const duplicateOf = ids.get(draft.contentHash);
    return duplicateOf === undefined ? draft : { ...draft, duplicateOf };
  });
}
