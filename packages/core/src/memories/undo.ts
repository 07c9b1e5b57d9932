import type { Memory } from '../memory.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { HistoryEntry, MemoryChange, PreviousValues } from '../ports/index.js';
import { changeOfText } from './edit-memory.js';

/** The steps that undo a change of some memories. An edit is empty if its memory is no longer as the change left it. */
export interface UndoPlan {
  restore: string[];
  remove: string[];
  edits: Map<string, (present: Memory) => MemoryChange>;
}

type UndoPorts = Pick<CorePorts, 'memories' | 'embeddingModel'>;

/**
 * Plans the undoing of a change of memories, from their entries since the change, oldest first. Leaves out memories
 * that are no longer as the change left them, and former values that are gone. A memory that was changed and changed
 * back is undone too, so that several changes can be undone one after the other.
 */
export async function planUndo(
  ports: UndoPorts,
  userId: string,
  changeId: string,
  entries: readonly HistoryEntry[],
): Promise<UndoPlan> {
  const plan: UndoPlan = { restore: [], remove: [], edits: new Map() };
  for (const [id, all] of Map.groupBy(entries, ({ memoryId }) => memoryId)) {
    const changeEntries = all.filter((entry) => entry.changeId === changeId);
    const last = changeEntries.at(-1)?.position ?? 0;
    const later = all.filter(({ position }) => position > last);
    const move = changeEntries.find(isMove);
    if (move === undefined) {
      const edit = await planEdit(ports, userId, changeEntries, later);
      if (edit !== null) plan.edits.set(id, edit);
    } else if ((later.findLast(isMove) ?? move).kind === move.kind) {
      plan[move.kind === 'deleted' ? 'restore' : 'remove'].push(id);
    }
  }
  return plan;
}

export const isMove = ({ kind }: HistoryEntry) => kind === 'deleted' || kind === 'restored';

/** The edit that puts former values back. Null if there are none, or if the values since are unknown or others. */
async function planEdit(
  { memories, embeddingModel }: UndoPorts,
  userId: string,
  changeEntries: readonly HistoryEntry[],
  later: readonly HistoryEntry[],
): Promise<((present: Memory) => MemoryChange) | null> {
  // A request that saved the same page twice has two entries of it. The first has the values from before.
  const previous: PreviousValues = Object.assign({}, ...changeEntries.map(({ before }) => before).reverse());
  if (Object.keys(previous).length === 0 || changeEntries.some(isForgotten)) return null;
  // The next change of a field recorded the value after this change.
  const left: PreviousValues = {};
  for (const field of Object.keys(previous) as (keyof PreviousValues)[]) {
    const next = later.find(({ fields }) => fields.includes(field));
    if (next === undefined) continue;
    if (next.before === null) return null;
    Object.assign(left, { [field]: next.before[field] });
  }
  const { text, ...fields } = previous;
  let change: MemoryChange = fields;
  if (text !== undefined) {
    const memory = await memories.find(userId, changeEntries[0]?.memoryId ?? '');
    if (memory === null || (left.text !== undefined && left.text !== memory.text)) return null;
    change = { ...fields, text: await changeOfText(embeddingModel, memory, text) };
  }
  return (present) => (isAsLeft(present, left) ? change : {});
}

/** Whether the values that an entry replaced are no longer kept. */
function isForgotten({ fields, before }: HistoryEntry): boolean {
  return fields.length > 0 && before === null;
}

function isAsLeft(present: Memory, left: PreviousValues): boolean {
  const { text: _, ...fields } = left;
  return Object.entries(fields).every(
    ([field, value]) => JSON.stringify(present[field as keyof typeof fields]) === JSON.stringify(value),
  );
}
