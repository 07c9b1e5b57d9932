import type { Reading, ReadingMode } from '../reading.js';
import type { SetupFile } from '../setup-file.js';
import { readTab } from './read-tab.js';

/** Milliseconds between polls of a conversation that is being written, and how long saving waits for its end. */
const STREAMING = { pause: 1_000, longest: 60_000 };

/** Reads a conversation again after a pause; null when it cannot be read or the page has changed. */
export async function readAgain(
  before: Reading,
  setup: SetupFile | null,
  tab?: chrome.tabs.Tab,
): Promise<Reading | null> {
  await new Promise((resolve) => setTimeout(resolve, STREAMING.pause));
  const next = await readTab(setup, { tab, turnsOnly: true });
  if (!('reading' in next) || next.reading.url !== before.url) return null;
  const { messages, isStreaming, title } = next.reading;
  return { ...before, messages, isStreaming, title };
}

/**
 * The later states of a conversation, until its answer is written. Ends early when it cannot be read, and after a
 * minute.
 *
 * @param again reads it after a pause
 */
export async function* readUntilWritten(
  first: Reading,
  mode: ReadingMode,
  again: (before: Reading) => Promise<Reading | null>,
): AsyncGenerator<Reading> {
  const end = Date.now() + STREAMING.longest;
  let present = first;
  while (mode === 'conversation' && present.isStreaming && Date.now() < end) {
    const grown = await again(present);
    if (grown === null) return;
    present = grown;
    yield grown;
  }
}
