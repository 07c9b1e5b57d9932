import type { CorePorts } from '../ports/core-ports.js';
import type { HistoryEntry, PreviousValues, StoredImport, StoredMemory } from '../ports/index.js';
import { isMove } from './undo.js';

/** Fields that change while someone reads. */
const READING: readonly string[] = ['readState', 'progress'];

/**
 * The memories that an undo of an import moves to the trash: those it created which are as it left them, also after a
 * change and its undo. Reading does not count, a highlight does.
 *
 * @param created some of the live memories that the import created
 * @param entries their history
 */
export async function untouchedSince(
  { imports, memories }: Pick<CorePorts, 'imports' | 'memories'>,
  userId: string,
  { id: importId, at }: StoredImport,
  created: readonly string[],
  entries: readonly HistoryEntry[],
): Promise<string[]> {
  if (created.length === 0) return [];
  const highlighted = new Set(await imports.highlightedSince(userId, created, at));
  // The history that an export brings along is older than the import.
  const later = entries.filter((entry) => entry.changeId !== importId && entry.at >= at && !isMove(entry));
  const changes = Map.groupBy(later, ({ memoryId }) => memoryId);
  const changed = await memories.findAll(userId, [...changes.keys()]);
  const present = new Map(changed.map((memory) => [memory.id, memory]));
  return created.filter((id) => {
    if (highlighted.has(id)) return false;
    const memory = present.get(id);
    return memory === undefined ? !changes.has(id) : isAsBefore(memory, changes.get(id) ?? []);
  });
}

/** Whether a memory has the values from before its changes. */
function isAsBefore(memory: StoredMemory, changes: readonly HistoryEntry[]): boolean {
  // A change without fields grew a conversation, and former values may be gone.
  if (changes.some(({ fields, before }) => fields.length === 0 || before === null)) return false;
  const previous: PreviousValues = Object.assign({}, ...changes.map(({ before }) => before).reverse());
  return Object.entries(previous).every(
    ([field, value]) =>
      READING.includes(field) || JSON.stringify(memory[field as keyof PreviousValues]) === JSON.stringify(value),
  );
}
