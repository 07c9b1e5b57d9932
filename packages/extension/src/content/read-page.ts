import { countWords } from '@recollect/contract/text';
import { findArticle } from '@recollect/extraction/dom';
import type { Reading, ReadingMode, ReadOptions } from '../reading.js';
import { readFacts } from './read-facts.js';
import { readSelection } from './read-selection.js';
import { snapshot } from './snapshot.js';
import { readGenericConversation } from './surfaces/generic.js';
import { findSurface } from './surfaces/index.js';

/** If more than this share of a page's words is in turns, the page is saved as a conversation. */
const MOSTLY_CONVERSATION = 0.6;

/** Reads a page as its user sees it, without changing it. */
export function readPage(document: Document, { openclawHosts, turnsOnly = false }: ReadOptions): Reading {
  const { location } = document;
  const problem = problemOf(document);
  const surface = findSurface(location.host, openclawHosts);
  const known = surface?.read(document) ?? null;
  const generic = known === null ? readGenericConversation(document) : null;
  // A surface with its own host is recognised even after a redesign; a chat on an OpenClaw host may be any other chat.
  const isSurface = known !== null || (generic !== null && surface !== null && surface.name !== 'openclaw');
  const { turns = [], isStreaming = false } = known ?? generic ?? {};
  const messages = turns.length > 0 ? turns : null;
  const selection = readSelection(document);
  const copy = turnsOnly ? null : snapshot(document);
  const pageWords = copy === null ? 0 : countWords(copy.body?.textContent ?? '');
  const article =
    problem === null && copy !== null ? findArticle(copy, { url: location.href, base: document.baseURI }) : null;
  const facts = readFacts(document, article);
  const isConversation = messages !== null && (isSurface || words(messages) > MOSTLY_CONVERSATION * pageWords);
  const parts: Record<ReadingMode, unknown> = {
    selection,
    conversation: isConversation ? messages : null,
    page: article?.text ?? null,
  };
  const order: readonly ReadingMode[] = ['selection', 'conversation', 'page'];
  return {
    url: location.href,
    title: (known?.title ?? article?.title ?? document.title).trim() || nameOf(location),
    sourceApp: isSurface && surface !== null ? surface.name : 'web',
    selection,
    messages,
    pageText: article?.text ?? null,
    pdf: null,
    smart: order.find((mode) => parts[mode] !== null) ?? (messages === null ? null : 'conversation'),
    facts,
    extractor: article?.extractor ?? 'none',
    isStreaming,
    problem,
  };
}

/** The title of an untitled page: its file name, otherwise its host. */
function nameOf({ pathname, host }: Location): string {
  const [name = ''] = pathname.split('/').slice(-1);
  return name.includes('.') ? name : host;
}

function words(turns: readonly { text: string }[]): number {
  return turns.reduce((sum, { text }) => sum + countWords(text), 0);
}

function problemOf(document: Document): Reading['problem'] {
  const isPdf =
    document.contentType === 'application/pdf' || document.querySelector('embed[type="application/pdf"]') !== null;
  if (isPdf && (document.body?.textContent ?? '').trim() === '') return 'pdf';
  return /^(image|video|audio)\//.test(document.contentType) ? 'not-a-page' : null;
}
