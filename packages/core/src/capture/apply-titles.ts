import type { Actor, Capture } from '@recollect/contract';
import type { CorePorts } from '../core-ports.js';
import { editMemory } from '../memories/edit-memory.js';
import type { SavedMemory } from '../ports/index.js';

type Ports = Pick<CorePorts, 'memories' | 'indexingJobs' | 'embeddingModel' | 'clock'>;

/** Gives known memories the titles that the user chose for their captures. `saved` has the order of `captures`. */
export async function applyTitles(
  ports: Ports,
  userId: string,
  captures: readonly (Capture | null)[],
  saved: readonly SavedMemory[],
  by: Actor | null,
): Promise<SavedMemory[]> {
  const titled: SavedMemory[] = [];
  for (const [index, memory] of saved.entries()) {
    const title = captures[index]?.ownTitle === true ? captures[index].title?.trim() : undefined;
    const isNew = memory.status === 'created' || !title || title === memory.title;
    if (isNew) {
      titled.push(memory);
      continue;
    }
    await editMemory(ports, userId, memory.id, { title }, by, {});
    titled.push({ ...memory, title, merged: ['title', ...(memory.merged ?? [])] });
  }
  return titled;
}
