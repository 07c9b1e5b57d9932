import type { CorePorts } from '../core-ports.js';
import type { HistoryEntry, MemoryChange } from '../ports/index.js';
import { changeOfText } from './change-of-text.js';

/** What undoes a change, by memory. */
export interface UndoPlan {
  restore: string[];
  remove: string[];
  edits: Map<string, MemoryChange>;
}

/** Plans the undoing of a change. Leaves out memories for which a later change replaced the same fields, and former values that are gone. */
export async function planUndo(
  { memories, history, embeddingModel }: Pick<CorePorts, 'memories' | 'history' | 'embeddingModel'>,
  userId: string,
  entries: readonly HistoryEntry[],
): Promise<UndoPlan> {
  const last = Math.max(...entries.map(({ position }) => position));
  const ids = [...new Set(entries.map(({ memoryId }) => memoryId))];
  const later = await history.after(userId, ids, last);
  const plan: UndoPlan = { restore: [], remove: [], edits: new Map() };
  for (const entry of entries) {
    if (later.some((other) => other.memoryId === entry.memoryId && conflicts(entry, other))) continue;
    if (entry.kind === 'deleted') plan.restore.push(entry.memoryId);
    else if (entry.kind === 'restored') plan.remove.push(entry.memoryId);
    else if (entry.before !== null) {
      const { text, ...fields } = entry.before;
      const memory = text === undefined ? null : await memories.find(userId, entry.memoryId);
      const change =
        text === undefined || memory === null ? {} : { text: await changeOfText(embeddingModel, memory, text) };
      plan.edits.set(entry.memoryId, { ...fields, ...change });
    }
  }
  return plan;
}

/** Whether undoing an entry would undo part of a later one. */
function conflicts(entry: HistoryEntry, later: HistoryEntry): boolean {
  const moves = ({ kind }: HistoryEntry) => kind === 'deleted' || kind === 'restored';
  if (moves(entry) || moves(later)) return moves(later);
  return entry.fields.some((field) => later.fields.includes(field));
}
