import type { LookupAnswer } from '@recollect/contract';
import type { Reading, ReadingMode } from '../reading.js';
import { countWords } from '../words.js';
import { longDate } from './age.js';
import type { Connection } from './connection.js';
import { count } from './count.js';
import type { Delivery } from './deliver.js';
import { modeNames, textOf } from './modes.js';
import type { Status } from './status-line.js';
import type { Additions } from './to-capture.js';

/** A memory of an address. */
export type Known = LookupAnswer['found'][number];

interface Saving {
  reading: Reading;
  mode: ReadingMode;
  /** What was known of the page's address before. */
  known: Known | null;
  additions: Additions;
}

/** What the user is told of a capture. */
export function receipt(delivery: Delivery, saving: Saving): Status {
  switch (delivery.outcome) {
    case 'saved':
      return {
        tone: 'good',
        text: [whatHappened(delivery.result, saving), ...remarks(delivery.result, saving)].join(' '),
      };
    case 'gone':
      return { tone: 'good', text: `${modeNames[saving.mode]} saved, by another window of yours.` };
    case 'kept': {
      const { reason, connection } = delivery;
      const why =
        reason === undefined ? REASONS[connection.state] : `${reason} It is sent when you open this window again.`;
      return { tone: 'kept', text: `Kept in this browser: ${why}` };
    }
    case 'refused':
      return { tone: 'bad', text: `Recollect does not take it: ${delivery.reason}` };
  }
}

/** Neither "saved" nor "already": it is neither yet. */
const REASONS: Readonly<Record<Connection['state'], string>> = {
  'key-needed': 'Recollect asks for a key. Enter it below, and it is sent.',
  'wrong-server': 'what answers at its address is not Recollect. It is sent once the right one does.',
  'no-setup': 'this extension does not know its server. Download it again from there.',
  off: 'Recollect does not answer. It is sent when you open this window and Recollect runs.',
  checking: 'Recollect has not answered yet. It is sent when you open this window again.',
  connected: 'it is sent when you open this window again.',
};

type Result = Extract<Delivery, { outcome: 'saved' }>['result'];

function whatHappened({ id, status }: Result, { reading, mode, known }: Saving): string {
  const name = modeNames[mode];
  if (status === 'duplicate') {
    // Of memories of one address the newest is known, which may be another.
    const since = known?.id === id ? ` since ${longDate(known.capturedAt)}` : '';
    return `${name} is already in your memory${since}.`;
  }
  if (status === 'updated') return `${name} saved: its new turns were added.`;
  const size =
    mode === 'conversation'
      ? count(reading.messages?.length ?? 0, 'turn')
      : count(countWords(textOf(reading, mode)), 'word');
  return `${name} saved, ${size}.`;
}

function remarks({ status }: Result, { reading, mode, known, additions }: Saving): string[] {
  const isBeside = status === 'created' && mode !== 'selection' && known !== null;
  return [
    ...(status === 'duplicate' && (additions.tags.trim() !== '' || additions.note.trim() !== '')
      ? ['Tags and note were added.']
      : []),
    ...(isBeside ? ['What you took of this address before stays beside it.'] : []),
    ...(mode === 'page' && reading.extractor === 'text' && status === 'created'
      ? ['It was too long, or too unusual, for more than plain text.']
      : []),
    ...(mode === 'conversation' && reading.isStreaming ? ['The answer that is still being written was left out.'] : []),
  ];
}
