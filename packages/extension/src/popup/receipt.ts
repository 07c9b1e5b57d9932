import type { CaptureAnswer } from '@recollect/contract';
import type { Reading, ReadingMode } from '../reading.js';
import { countWords } from '../words.js';
import { longDate } from './age.js';
import type { Connection } from './connection.js';
import type { Status } from './status-line.js';
import { textOf } from './to-capture.js';

const NAMES: Readonly<Record<ReadingMode, string>> = {
  selection: 'Selection',
  conversation: 'Conversation',
  page: 'Page',
};

/** What the user is told of a capture. */
export const receipt = { saved, kept };

function saved(
  { status }: CaptureAnswer['captures'][number],
  { reading, mode, savedAt }: { reading: Reading; mode: ReadingMode; savedAt: string | null },
): Status {
  const name = NAMES[mode];
  const left =
    mode === 'conversation' && reading.isStreaming ? ' The answer that is still being written was left out.' : '';
  if (status === 'duplicate') {
    const since = savedAt === null ? '' : ` since ${longDate(savedAt)}`;
    return { tone: 'good', text: `${name} is already in your memory${since}.${left}` };
  }
  if (status === 'updated') return { tone: 'good', text: `${name} saved: its new turns were added.${left}` };
  const size =
    mode === 'conversation'
      ? count(reading.messages?.length ?? 0, 'turn')
      : count(countWords(textOf(reading, mode)), 'word');
  return { tone: 'good', text: `${name} saved, ${size}.${left}` };
}

/** Neither "saved" nor "already": it is neither yet. */
function kept(connection: Connection): Status {
  const why = {
    'key-needed': 'Recollect asks for a key: enter it above, and it is sent.',
    'wrong-server': 'what answers at its address is not Recollect. It is sent once the right one does.',
    'no-setup': 'this extension does not know its server. Download it again from there.',
    off: 'Recollect does not answer. It is sent when you open this window and Recollect runs.',
    checking: 'Recollect has not answered yet. It is sent when you open this window again.',
    connected: 'it is sent when you open this window again.',
  }[connection.state];
  return { tone: 'kept', text: `Kept in this browser: ${why}` };
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
