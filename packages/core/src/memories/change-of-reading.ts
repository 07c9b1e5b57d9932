import type { Reading } from '../memory.js';

type ReadingProgress = Pick<Reading, 'readState' | 'progress'>;

/**
 * How much of a memory has been read and its read state, when one of them is given: `read` is all, `unread` nothing,
 * and reading on never makes a read memory unread.
 *
 * @example
 * changeOfReading({ readState: 'unread' }, { progress: 0.4 }); // { readState: 'reading', progress: 0.4 }
 * changeOfReading({ readState: 'reading' }, { readState: 'read' }); // { readState: 'read', progress: 1 }
 */
export function changeOfReading(
  present: Pick<Reading, 'readState'>,
  { readState, progress }: { [Field in keyof ReadingProgress]?: ReadingProgress[Field] | undefined },
): Partial<ReadingProgress> {
  if (progress === undefined) {
    if (readState === undefined) return {};
    return readState === 'reading' ? { readState } : { readState, progress: readState === 'read' ? 1 : 0 };
  }
  if (readState !== undefined) return { readState, progress };
  if (progress === 1) return { readState: 'read', progress };
  return { readState: present.readState === 'unread' && progress > 0 ? 'reading' : present.readState, progress };
}
