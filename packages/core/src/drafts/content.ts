import type { Capture, CaptureMode } from '@recollect/contract';
import { isPdf } from '@recollect/contract/text';
import type { Extraction } from '@recollect/contract/vocabulary';
import { type ChunkSizes, joinIntoChunks, measureText, type Piece } from '../chunking/chunk-text.js';
import { RecollectError } from '../error.js';
import { giveTurns } from '../give-turns.js';
import type { Conversation } from '../memory.js';
import type { Article, ArticleExtractor } from '../ports/index.js';
import { decodeBase64 } from '../text/bytes.js';
import { GAP } from '../text/turns.js';

export function joinTurns(turns: readonly string[]): string {
  return turns.join(GAP);
}

/** The pieces of each turn. Joining all of them gives the text of {@link joinTurns}. */
export async function measureTurns(turns: readonly string[], sizes: ChunkSizes): Promise<Piece[][]> {
  const measured: Piece[][] = [];
  const giveTurn = giveTurns();
  for (const [index, turn] of turns.entries())
    measured.push(await measureText(index < turns.length - 1 ? turn + GAP : turn, sizes, giveTurn));
  return measured;
}

/**
 * Turns are compared one by one: an edited or longer turn makes it a different conversation (CAP-13). The pieces are
 * measured beforehand, because `chunksAfter` is called in the transaction that stores the conversation.
 */
export function createConversation(
  turns: readonly string[],
  measured: readonly (readonly Piece[])[],
  sizes: ChunkSizes,
): Conversation {
  return {
    turns: turns.length,
    starts: startsOf(turns),
    chunksAfter(count, text) {
      if (count >= turns.length || joinTurns(turns.slice(0, count)) !== text) return null;
      // The stored text ends without the gap.
      return joinIntoChunks([{ text: GAP, tokens: 0 }, ...measured.slice(count).flat()], sizes);
    },
  };
}

/** Where each turn starts in the text of {@link joinTurns}. */
function startsOf(turns: readonly string[]): number[] {
  let at = 0;
  return turns.map((turn) => {
    const start = at;
    at += turn.length + GAP.length;
    return start;
  });
}

type Part = 'selection' | 'messages' | 'pageText' | 'html' | 'pdf';
type UsedMode = Exclude<CaptureMode, 'smart'>;

const ORDER: readonly Part[] = ['selection', 'messages', 'pageText', 'html', 'pdf'];
const PARTS_OF_MODE: Readonly<Record<CaptureMode, readonly Part[]>> = {
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
  | { mode: 'page'; html: string; extract: Extraction }
  /** In Base64. */
  | { mode: 'page'; pdf: string };

/** Chooses the content by the capture's mode (CAP-2): the mode's own text, else the first that is not blank. */
export function chooseContent(capture: Capture): Content | null {
  for (const part of [...PARTS_OF_MODE[capture.captureMode ?? 'smart'], ...ORDER]) {
    if (part === 'messages') {
      const turns = renderTurns(capture.messages ?? []);
      if (turns.length > 0) return { mode: 'conversation', turns };
      continue;
    }
    const text = withoutNul(capture[part] ?? '');
    if (text.trim() === '') continue;
    if (part === 'html') return { mode: 'page', html: text, extract: capture.extract ?? 'article' };
    return part === 'pdf' ? { mode: 'page', pdf: text } : { mode: MODE_OF[part], text };
  }
  return isAddressOnly(capture) ? { mode: 'page', text: linkText(capture), isLink: true } : null;
}

/**
 * Whether a capture is a link (CAP-16): an address, and no content, not even a blank one, which its client could not
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

/**
 * The text of a raw page or a PDF; null for other contents. Throws EXTRACTION_FAILED when it cannot be read, and
 * VALIDATION_FAILED for bytes that are not a PDF.
 */
export async function extractText(
  content: Content,
  url: string | null,
  extractor: ArticleExtractor | null,
): Promise<Article | null> {
  if (!('html' in content || 'pdf' in content)) return null;
  const what = 'html' in content ? 'page' : 'PDF';
  if (extractor === null) throw new RecollectError('EXTRACTION_FAILED', `A ${what} cannot be read here. ${INSTEAD}`);
  try {
    return await ('html' in content
      ? extractor.extract(content.html, url, { scope: content.extract })
      : extractor.extractPdf(readPdf(content.pdf)));
  } catch (cause) {
    if (cause instanceof RecollectError) throw cause;
    const reason = `The ${what} could not be read: its reader failed on it.`;
    throw new RecollectError('EXTRACTION_FAILED', `${reason} ${INSTEAD}`, { cause });
  }
}

const INSTEAD = 'Save its text instead.';

const NO_PDF = 'must be a PDF in Base64';

function readPdf(base64: string): Uint8Array {
  const bytes = decodeBase64(base64);
  if (bytes === null || !isPdf(bytes, { isDeclared: true }))
    throw new RecollectError('VALIDATION_FAILED', `pdf ${NO_PDF}.`, { errors: [{ pointer: '/pdf', message: NO_PDF }] });
  return bytes;
}
