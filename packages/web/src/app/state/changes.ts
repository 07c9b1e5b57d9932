import type { ChangeBody } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { count } from '@recollect/contract/text';
import { client } from '../api/client.js';
import { dropItems, patchItems, showChange } from './library.js';
import { refresh } from './refresh-list.js';
import { announce, succeeds } from './status.js';

const memories = (number: number) => count(number, 'memory', 'memories');

/** Moves memories to the trash. Resolves to whether it succeeded. */
export function deleteMemories(ids: readonly string[]): Promise<boolean> {
  return succeeds(
    change(
      ids,
      { delete: true },
      () => dropItems(new Set(ids)),
      (number) => (number === 1 ? 'Moved to the trash.' : `${memories(number)} moved to the trash.`),
    ),
  );
}

/** Adds tags to memories. Throws as the client does. */
export function addTags(ids: readonly string[], tags: readonly string[]): Promise<void> {
  const add = (present: readonly string[]) => [...new Set([...present, ...tags])];
  return change(
    ids,
    { addTags: [...tags] },
    () => patchItems(new Set(ids), (item) => ({ tags: add(item.tags) })),
    (number) => `${tags.join(', ')} added to ${memories(number)}.`,
  );
}

/** Removes tags from memories. Throws as the client does. */
export function removeTags(ids: readonly string[], tags: readonly string[]): Promise<void> {
  return change(
    ids,
    { removeTags: [...tags] },
    () => patchItems(new Set(ids), (item) => ({ tags: item.tags.filter((tag) => !tags.includes(tag)) })),
    (number) => `${tags.join(', ')} removed from ${memories(number)}.`,
  );
}

/** Takes memories out of the trash. Resolves to whether it succeeded. */
export function restoreMemories(ids: readonly string[]): Promise<boolean> {
  return succeeds(
    change(
      ids,
      { restore: true },
      () => {},
      (number) => (number === 1 ? 'Restored.' : `${memories(number)} restored.`),
    ),
  );
}

/** Undoes a change, and says so. `ids` are the memories that it changed, if they are known. */
export async function undoChange(id: string, ids: readonly string[] | null = null): Promise<void> {
  const { changed, skipped } = await client('undoChange', { parameters: { id } });
  const left = skipped === 0 ? '' : ` ${memories(skipped)} changed again since, and stayed as they are.`;
  announce(changed === 0 ? `Nothing was undone.${left}` : `Undone.${left}`);
  await refresh(ids);
}

/** Shows the change at once, sends it, and goes back if it fails. */
async function change(
  ids: readonly string[],
  body: ChangeBody,
  show: () => void,
  describe: (changed: number) => string,
): Promise<void> {
  const goBack = showChange(show);
  try {
    let changed = 0;
    const undo: string[] = [];
    const { changeIds: most } = limits.memories;
    for (let at = 0; at < ids.length; at += most) {
      const answer = await client('changeMemories', { body: { ...body, ids: ids.slice(at, at + most) } });
      changed += answer.changed;
      if (answer.changeId !== null) undo.push(answer.changeId);
    }
    announce(
      changed === 0 ? 'Nothing changed.' : describe(changed),
      undo.length === 0
        ? undefined
        : async () => {
            for (const id of undo) await undoChange(id, ids);
          },
    );
  } catch (error) {
    if (!goBack()) void refresh(ids);
    throw error;
  }
}
