import type { ChangeAnswer, ChangeBody, ChangeRun } from '@recollect/contract';
import { ProblemError } from '@recollect/contract/client';
import { followChange, followUndo, IncompleteChangeError } from '@recollect/contract/follow-change';
import { limits } from '@recollect/contract/limits';
import { count } from '@recollect/contract/text';
import type { Place } from '@recollect/contract/vocabulary';
import { formatNumber } from '@recollect/ui/numbers';
import { client, explain } from '../api/client.js';
import { reportChanges } from '../api/events.js';
import { dropItems, patchItems, showChange } from './library.js';
import { listedQuery } from './load-list.js';
import { leavesList, placeLabels } from './places.js';
import { refresh } from './refresh-list.js';
import { announce, announceFailure } from './status.js';

/** The selection of the memories of a change. */
export type Condition = Pick<ChangeBody, 'query' | 'tag' | 'until'>;

/** The memories that a change is for: some by their ids, or all that meet a condition. */
export type Target = readonly string[] | Condition;

const memories = (number: number) => count(number, 'memory', 'memories');

/** Moves memories to the trash. Throws as the client does, as all changes do. */
export function deleteMemories(target: Target): Promise<void> {
  return change(
    target,
    { delete: true },
    (ids) => dropItems(ids),
    (number) => (number === 1 ? 'Moved to the trash.' : `${memories(number)} moved to the trash.`),
  );
}

export function addTags(target: Target, tags: readonly string[]): Promise<void> {
  const add = (present: readonly string[]) => [...new Set([...present, ...tags])];
  return change(
    target,
    { addTags: [...tags] },
    (ids) => patchItems(ids, (item) => ({ tags: add(item.tags) })),
    (number) => `${tags.join(', ')} added to ${memories(number)}.`,
  );
}

export function removeTags(target: Target, tags: readonly string[]): Promise<void> {
  return change(
    target,
    { removeTags: [...tags] },
    (ids) => patchItems(ids, (item) => ({ tags: item.tags.filter((tag) => !tags.includes(tag)) })),
    (number) => `${tags.join(', ')} removed from ${memories(number)}.`,
  );
}

export function starMemories(target: Target, star: boolean): Promise<void> {
  return change(
    target,
    { star },
    (ids) => patchItems(ids, () => ({ starred: star })),
    (number) => {
      if (number === 1) return star ? 'Starred.' : 'Star removed.';
      return star ? `${memories(number)} starred.` : `Star removed from ${memories(number)}.`;
    },
  );
}

export function markMemories(target: Target, markAs: 'read' | 'unread'): Promise<void> {
  return change(
    target,
    { markAs },
    (ids) => patchItems(ids, () => ({ readState: markAs, progress: markAs === 'read' ? 1 : 0 })),
    (number) => (number === 1 ? `Marked as ${markAs}.` : `${memories(number)} marked as ${markAs}.`),
  );
}

/** Moves memories to the inbox, to later or to the archive. They leave a list of another place. */
export function moveMemories(target: Target, moveTo: Place): Promise<void> {
  const { name } = placeLabels[moveTo];
  return change(
    target,
    { moveTo },
    (ids) => {
      if (leavesList(listedQuery.peek() ?? '', moveTo)) dropItems(ids);
      else patchItems(ids, () => ({ place: moveTo }));
    },
    (number) => (number === 1 ? `Moved to ${name}.` : `${memories(number)} moved to ${name}.`),
  );
}

export function restoreMemories(ids: readonly string[]): Promise<void> {
  return change(
    ids,
    { restore: true },
    () => {},
    (number) => {
      if (number === 0)
        return 'Nothing was restored. The same text has been saved again, or it is no longer in the trash.';
      const stay =
        number < ids.length ? ` ${memories(ids.length - number)} stayed: the same text has been saved again.` : '';
      return number === 1 && ids.length === 1 ? 'Restored.' : `${memories(number)} restored.${stay}`;
    },
  );
}

/** Undoes a change, and says so. `ids` are the memories that it changed, if they are known. */
export function undoChange(id: string, ids: readonly string[] | null = null): Promise<void> {
  return undoChanges([id], ids);
}

/** Undoes a change for one memory only; other memories keep it. */
export async function undoFor(memoryId: string, id: string): Promise<void> {
  const { changed, changeId } = await followUndo(
    await client('undoChange', { parameters: { id }, query: { memoryId } }),
    following('Undone for'),
  );
  if (changed === 0) announce('Not undone, because it was changed again since. View shows what was there.');
  else announce('Undone.', changeId === null ? undefined : () => undoChange(changeId, [memoryId]));
  await refresh([memoryId]);
}

/** Undoes the changes that are left in `changeIds`, so that it can be tried again if it fails. */
export async function undoChanges(changeIds: string[], ids: readonly string[] | null): Promise<void> {
  let [changed, skipped] = [0, 0];
  for (let id = changeIds[0]; id !== undefined; id = changeIds[0]) {
    const answer = await followUndo(
      await client('undoChange', { parameters: { id }, query: {} }),
      following('Undone for'),
    );
    changed += answer.changed;
    skipped += answer.skipped;
    changeIds.shift();
  }
  const left = skipped === 0 ? '' : ` Skipped ${memories(skipped)} that changed since.`;
  announce(changed === 0 ? `Nothing was undone.${left}` : `Undone.${left}`);
  await refresh(ids);
}

/**
 * Shows the change at once, sends it, and goes back if it fails. A change by a filter is shown once it is done, because
 * it may take long. Throws if nothing was changed.
 */
async function change(
  target: Target,
  body: ChangeBody,
  show: (ids: ReadonlySet<string>) => void,
  describe: (changed: number) => string,
): Promise<void> {
  const ids = isIds(target) ? target : null;
  const goBack = showChange(() => {
    if (ids !== null) show(new Set(ids));
  });
  const undo: string[] = [];
  const undoAll = () => undoChanges(undo, ids);
  let changed = 0;
  try {
    for (const selected of isIds(target) ? inParts(target) : [target]) {
      const answer = await toEnd(client('changeMemories', { body: { ...body, ...selected } }));
      changed += answer.changed;
      if (answer.changeId !== null) undo.push(answer.changeId);
    }
  } catch (error) {
    const partial = partOf(error);
    if (partial !== null) {
      changed += partial.changed;
      undo.push(partial.changeId);
    }
    if (!goBack() || undo.length > 0) void refresh(ids);
    if (undo.length === 0) throw error;
    const whole = ids === null ? '' : ` of ${memories(ids.length)}`;
    announceFailure(
      `Only ${ids === null ? memories(changed) : formatNumber(changed)}${whole} changed. ${reasonOf(error)}`,
      undoAll,
    );
    return;
  }
  const isRestore = body.restore === true;
  announce(
    changed === 0 && !isRestore ? 'Nothing changed.' : describe(changed),
    undo.length === 0 ? undefined : undoAll,
  );
  if (ids === null) await refresh(null);
  else reportChanges(ids);
}

/** The memories changed before a change failed, with the id that undoes it. */
function partOf(error: unknown): { changeId: string; changed: number } | null {
  if (error instanceof IncompleteChangeError) return error.changed > 0 ? error : null;
  if (!(error instanceof ProblemError)) return null;
  const { changeId, changed } = error.problem;
  return typeof changeId === 'string' && typeof changed === 'number' ? { changeId, changed } : null;
}

/** Why a change failed, without the id: there is a button. */
function reasonOf(error: unknown): string {
  return explain(error).replace(
    / (?:Before that, )?[\d,]+ (?:of [\d,]+ )?(?:memory was|memories were) changed\..*$/,
    '',
  );
}

/** Waits until a change of many memories has ended, and shows its progress. */
export async function toEnd(request: Promise<ChangeAnswer | ChangeRun>): Promise<ChangeAnswer> {
  return followChange(await request, following('Changed'));
}

const following = (done: string) => ({
  read: (id: string) => client('changeState', { parameters: { id } }),
  onProgress: ({ examined, matched }: { examined: number; matched: number }) =>
    announce(`${done} ${formatNumber(examined)} of ${memories(matched)} …`),
});

function isIds(target: Target): target is readonly string[] {
  return Array.isArray(target);
}

/** A request takes a limited number of ids. */
function inParts(ids: readonly string[]): { ids: string[] }[] {
  const { changeIds: most } = limits.memories;
  return Array.from({ length: Math.ceil(ids.length / most) }, (_, part) => ({
    ids: ids.slice(part * most, (part + 1) * most),
  }));
}
