import type { Highlight, MemoryDetail, MemoryPatch } from '@recollect/contract';
import { ProblemError } from '@recollect/contract/client';
import { limits } from '@recollect/contract/limits';
import { useRef } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { reportChanges } from '../api/events.js';
import { setTask } from '../markdown/tasks.js';
import { undoChange } from '../state/changes.js';
import { patchItems } from '../state/library.js';
import { announce, announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';

/** A field of a memory that is edited in place. */
type Edit = { title: string } | { note: string | null } | { text: string };

/** Always the same list: a new one would cause an endless render loop until the answer comes. */
const NONE: readonly Highlight[] = [];
/** Poll interval in milliseconds; finished embeddings are not announced. */
const LOOK_EVERY = 5_000;

export interface OpenMemory {
  memory: MemoryDetail | null;
  highlights: readonly Highlight[];
  /** Why the memory could not be read. The last memory read stays, with the typed text. */
  problem: { text: string; isGone: boolean } | null;
  /**
   * Changes the memory at once, and goes back with a message if the server rejects it, which it does if the memory no
   * longer has the values that are expected. Resolves to the changed memory; null if nothing was changed.
   */
  update: (patch: Edit, done: string, expected: NonNullable<MemoryPatch['expected']>) => Promise<MemoryDetail | null>;
  /** Ticks a box of a task list in the text, or not. Each waits for the one before. */
  tick: (index: number, isDone: boolean) => void;
}

/** Reads a memory with its highlights, and follows its changes. */
export function useMemory(id: string): OpenMemory {
  const parameters = { id };
  const { value, problem, isGone, resource } = useResource<MemoryDetail>(() => client('getMemory', { parameters }), {
    changes: id,
    poll: ({ embedding }) => (embedding.state === 'pending' ? LOOK_EVERY : null),
  });
  const highlights = useResource(() => readHighlights(id), { changes: id });

  const update: OpenMemory['update'] = async (patch, done, expected) => {
    try {
      const changed = await resource.change(
        (memory) => ({ ...memory, ...patch }),
        () => client('updateMemory', { parameters, body: { ...patch, expected } }),
      );
      const { title, changeId } = changed;
      patchItems(new Set([id]), () => ({ title }));
      announce(done, changeId === null ? undefined : () => undoChange(changeId, [id]));
      reportChanges([id]);
      return changed;
    } catch (error) {
      // Where only changes get no answer, reading would count as reconnecting, which tries the change again, and so on.
      if (error instanceof ProblemError) void resource.load();
      announceFailure(explain(error));
      return null;
    }
  };

  const ticking = useRef<Promise<unknown>>(Promise.resolve());
  const tick: OpenMemory['tick'] = (index, isDone) => {
    ticking.current = ticking.current.then(async () => {
      const memory = resource.value.peek();
      if (memory === null) return;
      const text = setTask(memory.text, index, isDone);
      await update({ text }, isDone ? 'Ticked.' : 'Unticked.', { textHash: memory.textHash });
    });
  };

  return {
    memory: value,
    highlights: highlights.value ?? NONE,
    problem: problem === '' ? null : { text: problem, isGone },
    update,
    tick,
  };
}

/** All highlights of a memory, newest first. */
async function readHighlights(memoryId: string): Promise<Highlight[]> {
  const highlights: Highlight[] = [];
  let cursor: string | undefined;
  do {
    const page = await client('listHighlights', { query: { memoryId, limit: limits.memories.page.maximum, cursor } });
    highlights.push(...page.highlights);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return highlights;
}
