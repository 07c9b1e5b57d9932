import type { Reading, ReadingMode } from '../reading.js';

/** Display names of the modes. */
export const modeNames: Readonly<Record<ReadingMode, string>> = {
  selection: 'Selection',
  conversation: 'Conversation',
  page: 'Page',
};

/** The text that a mode saves; empty when the page has none for it, and for a PDF. */
export function textOf(reading: Reading, mode: ReadingMode): string {
  if (mode === 'selection') return reading.selection ?? '';
  if (mode === 'page') return (reading.scope === 'page' ? reading.wholeText : reading.pageText) ?? '';
  return (reading.messages ?? []).map(({ role, text }) => `${role}: ${text}`).join('\n\n');
}

/** The comments that a mode saves beside its text: all text of a page includes them. */
export function commentsOf(reading: Reading, mode: ReadingMode): Reading['comments'] {
  return mode === 'page' && reading.scope === 'article' && reading.pdf === null ? reading.comments : [];
}

/** The modes that have something to save. */
export function modesOf(reading: Reading): ReadingMode[] {
  const modes: readonly ReadingMode[] = ['selection', 'conversation', 'page'];
  return modes.filter((mode) => textOf(reading, mode) !== '' || (mode === 'page' && reading.pdf !== null));
}

/** The mode that saves the page as a whole, even if something is selected. */
export function wholeMode(reading: Reading): ReadingMode | null {
  const modes = modesOf(reading).filter((mode) => mode !== 'selection');
  const isChat = reading.sourceApp !== 'web' && modes.includes('conversation');
  return isChat ? 'conversation' : (modes.find((mode) => mode === 'page') ?? modes[0] ?? null);
}

/** The modes of saving, in the words of the user. */
export function nameOf(reading: Reading, mode: ReadingMode): string {
  return mode === 'page' && reading.pdf !== null ? 'PDF' : modeNames[mode];
}
