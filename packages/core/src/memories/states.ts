import type { HistoryAnswer, MemoryState } from '@recollect/contract';
import { RecollectError } from '../error.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { NumberedEntry, PreviousValues, StoredMemory } from '../ports/index.js';

/**
 * A memory as a change of its history left it: number 1 is the first change, and 0 the memory as it was saved. Throws
 * NOT_FOUND if there is no such change, or if values that were replaced since are no longer kept.
 */
export async function readState(
  { history }: Pick<CorePorts, 'history'>,
  userId: string,
  memory: StoredMemory,
  number: number,
): Promise<MemoryState> {
  if (!Number.isSafeInteger(number) || number < 0) throw unknownState();
  const [entry, later] = await readEntries(history, userId, memory.id, number);
  if (number > 0 && entry === undefined) throw unknownState();
  // The first change that replaced a field since replaced what it was then.
  const replaced: PreviousValues = {};
  for (const { fields, before, position } of later) {
    const first = fields.filter((field) => !(field in replaced));
    if (first.length === 0) continue;
    if (before === null) throw forgottenState();
    for (const field of first) {
      const value = field === 'text' ? await history.previousText(userId, position) : before[field];
      if (value === null && field === 'text') throw forgottenState();
      Object.assign(replaced, { [field]: value });
    }
  }
  const { title, tags, note, text } = { ...memory, ...replaced };
  return { number, at: entry?.at ?? memory.capturedAt, title, tags: [...tags], note, text };
}

/** The entry with a number, if there is one, and those after it, oldest first. */
async function readEntries(
  history: CorePorts['history'],
  userId: string,
  id: string,
  number: number,
): Promise<[NumberedEntry | undefined, NumberedEntry[]]> {
  if (number === 0) return [undefined, await history.ofMemoryFrom(userId, id, 1)];
  const [entry, ...later] = await history.ofMemoryFrom(userId, id, number);
  return [entry, later];
}

function unknownState(): RecollectError {
  return new RecollectError('NOT_FOUND', 'The history of this memory has no change with this number.');
}

function forgottenState(): RecollectError {
  return new RecollectError('NOT_FOUND', 'The values that this memory had then are no longer kept.');
}

/** An entry as a history lists it: without the former text, which is long, and which `readState` reads. */
export function historyEntryOf(entry: NumberedEntry): HistoryAnswer['history'][number] {
  const { number, changeId, kind, at, by, fields } = entry;
  const { title, tags, note, starred, readState, progress, place } = entry.before ?? {};
  const before = {
    ...(title === undefined ? {} : { title }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(note === undefined ? {} : { note }),
    ...(starred === undefined ? {} : { starred }),
    ...(readState === undefined ? {} : { readState }),
    ...(progress === undefined ? {} : { progress }),
    ...(place === undefined ? {} : { place }),
  };
  return { number, changeId, kind, at, by, fields: [...fields], before };
}
