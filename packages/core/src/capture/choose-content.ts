import type { Capture, CaptureMode } from '@recollect/contract';

type Part = 'selection' | 'messages' | 'pageText' | 'html' | 'pdf';
type UsedMode = Exclude<CaptureMode, 'smart'>;

const ORDER: readonly Part[] = ['selection', 'messages', 'pageText', 'html', 'pdf'];
const OWN: Readonly<Record<CaptureMode, readonly Part[]>> = {
  smart: [],
  selection: ['selection'],
  page: ['pageText', 'html', 'pdf'],
  conversation: ['messages'],
};
const MODE_OF = { selection: 'selection', pageText: 'page' } as const;

/**
 * The content of a capture: a text, the turns of a conversation as texts, or a raw page or a PDF whose text is not yet
 * extracted.
 */
export type Content =
  | { mode: UsedMode; text: string }
  /** An address alone, with a text by which it is found. */
  | { mode: 'page'; text: string; isLink: true }
  | { mode: 'conversation'; turns: readonly string[] }
  | { mode: 'page'; html: string }
  /** In Base64. */
  | { mode: 'page'; pdf: string };

/** Chooses the content by the capture's mode (CAP-2): the mode's own text, else the first that is not blank. */
export function chooseContent(capture: Capture): Content | null {
  for (const part of [...OWN[capture.captureMode ?? 'smart'], ...ORDER]) {
    if (part === 'messages') {
      const turns = renderTurns(capture.messages ?? []);
      if (turns.length > 0) return { mode: 'conversation', turns };
      continue;
    }
    const text = withoutNul(capture[part] ?? '');
    if (text.trim() === '') continue;
    if (part === 'html') return { mode: 'page', html: text };
    return part === 'pdf' ? { mode: 'page', pdf: text } : { mode: MODE_OF[part], text };
  }
  return isAddressOnly(capture) ? { mode: 'page', text: linkText(capture), isLink: true } : null;
}

/**
 * Whether a capture is a link (CAP-17): an address, and no content, not even a blank one, which its client could not
 * read.
 */
function isAddressOnly(capture: Capture): boolean {
  const { url, captureMode } = capture;
  const isOfPage = captureMode == null || captureMode === 'smart' || captureMode === 'page';
  return isOfPage && withoutNul(url ?? '').trim() !== '' && ORDER.every((part) => capture[part] == null);
}

function linkText({ title, url }: Capture): string {
  return withoutNul(title ?? '').trim() || withoutNul(url ?? '').trim();
}

/** Each non-blank turn as text, with its role in front. */
function renderTurns(messages: readonly { role: string; text: string }[]): string[] {
  return messages
    .map(({ role, text }) => ({ role: withoutNul(role).trim(), text: withoutNul(text) }))
    .filter(({ text }) => text.trim() !== '')
    .map(({ role, text }) => (role === '' ? text : `${role}: ${text}`));
}

/** NUL is never stored, because several SQLite functions end a text at it. */
export function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '');
}
