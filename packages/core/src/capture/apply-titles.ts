import type { Actor, Capture } from '@recollect/contract';
import { RecollectError } from '../error.js';
import { editMemory, type MemoryEdit } from '../memories/edit-memory.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { SavedMemory } from '../ports/index.js';

type Ports = Pick<CorePorts, 'memories' | 'indexingJobs' | 'embeddingModel' | 'clock'>;

/** The facts of a memory in an answer, or known before it. */
type Titled = Pick<SavedMemory, 'id' | 'title' | 'status' | 'merged'>;

/**
 * Gives known memories the titles that the user chose for their captures. `saved` has the order of `captures`. On a
 * retry, a memory that was deleted or renamed in the meantime is not changed.
 */
export async function applyTitles<Saved extends Titled>(
  ports: Ports,
  userId: string,
  captures: readonly (Capture | null)[],
  saved: readonly Saved[],
  by: Actor | null,
  { isRetry = false, changeId }: { isRetry?: boolean; changeId?: string | undefined } = {},
): Promise<Saved[]> {
  const titled: Saved[] = [];
  for (const [index, memory] of saved.entries()) {
    const title = captures[index]?.ownTitle === true ? captures[index].title?.trim() : undefined;
    const isNew = memory.status === 'created' || !title || title === memory.title;
    const expected = isRetry ? { title: memory.title } : undefined;
    if (isNew || !(await setTitle(ports, userId, memory.id, { title, expected }, by, changeId))) titled.push(memory);
    else titled.push({ ...memory, title, merged: ['title', ...(memory.merged ?? [])] });
  }
  return titled;
}

/** Sets the title. Returns false if the memory is gone, or no longer has the title that is expected. */
async function setTitle(
  ports: Ports,
  userId: string,
  id: string,
  edit: Pick<MemoryEdit, 'title' | 'expected'>,
  by: Actor | null,
  changeId: string | undefined,
): Promise<boolean> {
  try {
    await editMemory(ports, userId, id, edit, by, { changeId });
    return true;
  } catch (error) {
    if (error instanceof RecollectError && (error.code === 'NOT_FOUND' || error.code === 'MEMORY_CHANGED'))
      return false;
    throw error;
  }
}
