import type { LookupAnswer } from '@recollect/contract';
import { count, countWords } from '@recollect/contract/text';
import { longDate } from '@recollect/ui/dates';
import type { Reading, ReadingMode } from '../reading.js';
import type { Connection } from './connection.js';
import { nameOf, textOf } from './modes.js';
import type { Delivery } from './send.js';
import type { Status } from './status.js';

/** The memory that is saved for an address. */
export type Known = LookupAnswer['found'][number];

interface Saving {
  reading: Reading;
  mode: ReadingMode;
  /** The memory of the page's address before this capture. */
  known: Known | null;
}

/** The status message for a capture. */
export function receipt(delivery: Delivery, saving: Saving): Status {
  switch (delivery.outcome) {
    case 'saved':
      return {
        tone: 'good',
        memoryId: delivery.result.id,
        text: [summarise(delivery.result, saving), ...remarks(delivery.result, saving), ...delivery.warnings].join(' '),
      };
    case 'gone':
      return { tone: 'good', text: `${nameOf(saving.reading, saving.mode)} was saved by another window.` };
    case 'kept': {
      const { reason, connection } = delivery;
      const why =
        reason === undefined ? REASONS[connection.state] : `${reason} It will be sent when you open this window again.`;
      return { tone: 'kept', text: `Kept in this browser: ${why}` };
    }
    case 'refused':
      return { tone: 'bad', text: `Recollect rejected this capture: ${delivery.reason}` };
  }
}

/** These messages avoid "saved" and "already", because the capture is neither yet. */
const REASONS: Readonly<Record<Connection['state'], string>> = {
  'key-needed': 'Recollect requires an API key. Enter it below to send the capture.',
  'wrong-server': 'the server at the configured address is not Recollect. The capture is sent once Recollect answers.',
  'no-setup': 'this extension does not know its server. Download the extension again from your Recollect.',
  off: 'Recollect does not answer. Start Recollect, then open this window again to send the capture.',
  checking: 'Recollect has not answered yet. The capture will be sent when you open this window again.',
  connected: 'it will be sent when you open this window again.',
};

type Result = Extract<Delivery, { outcome: 'saved' }>['result'];

function summarise({ id, status }: Result, { reading, mode, known }: Saving): string {
  const name = nameOf(reading, mode);
  if (status === 'duplicate') {
    // `known` is the newest memory of the address, which may be a different one.
    const since = known?.id === id ? ` since ${longDate(known.capturedAt, 'en-GB')}` : '';
    return `${name} is already in your memory${since}.`;
  }
  if (status === 'updated')
    return mode === 'conversation'
      ? `${name} saved: its new turns were added.`
      : `${name} saved. It takes the place of your link to it.`;
  if (mode === 'page' && reading.pdf !== null) return `${name} saved.`;
  const size =
    mode === 'conversation'
      ? count(reading.messages?.length ?? 0, 'turn')
      : count(countWords(textOf(reading, mode)), 'word');
  return `${name} saved, ${size}.`;
}

function remarks({ status, merged = [] }: Result, { reading, mode, known }: Saving): string[] {
  const hasEarlierCapture = status === 'created' && mode !== 'selection' && known !== null;
  return [
    ...(merged.length > 0 ? [`It has the new ${new Intl.ListFormat('en').format(merged)}.`] : []),
    ...(hasEarlierCapture ? ['Your earlier capture of this address is also kept.'] : []),
    ...(mode === 'page' && reading.extractor === 'text' && status === 'created'
      ? ['It is plain text, because the page is too long or too unusual.']
      : []),
    ...(mode === 'conversation' && reading.isStreaming ? ['The answer that is still being written was left out.'] : []),
  ];
}
