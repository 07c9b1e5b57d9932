import { expect, test } from 'vitest';
import { changeOfReading } from '../src/memories/edit-memory.js';

const [unread, reading, read] = (['unread', 'reading', 'read'] as const).map((readState) => ({ readState }));

test('MEM-14: a read state sets the progress, and progress the read state', () => {
  expect(changeOfReading({ readState: 'unread' }, {})).toEqual({});
  expect(changeOfReading({ readState: 'reading' }, { readState: 'read' })).toEqual({ ...read, progress: 1 });
  expect(changeOfReading({ readState: 'read' }, { readState: 'unread' })).toEqual({ ...unread, progress: 0 });
  expect(changeOfReading({ readState: 'unread' }, { readState: 'reading' })).toEqual(reading);
  expect(changeOfReading({ readState: 'unread' }, { progress: 0.1 })).toEqual({ ...reading, progress: 0.1 });
  expect(changeOfReading({ readState: 'unread' }, { progress: 0 })).toEqual({ ...unread, progress: 0 });
  expect(changeOfReading({ readState: 'read' }, { progress: 0.1 })).toEqual({ ...read, progress: 0.1 });
  expect(changeOfReading({ readState: 'unread' }, { progress: 1 })).toEqual({ ...read, progress: 1 });
  expect(changeOfReading({ readState: 'read' }, { readState: 'reading', progress: 0.2 })).toEqual({
    ...reading,
    progress: 0.2,
  });
});
