import { limits } from '@recollect/contract/limits';
import { type ArticleExtractor, RecollectError } from '@recollect/core';
import { DocumentProblem, ExceededError, openDocumentReader } from './document-reader.js';
import { QueueFullError } from './fair-queue.js';
import type { PageContent, PdfContent } from './messages.js';

export interface ArticleExtractorOptions {
  /** Milliseconds of processor time that a page may take, and a second more for each 250,000 characters. */
  timeLimit?: number;
  /** The same for a PDF, which may have a thousand pages. */
  pdfTimeLimit?: number;
  /** Bytes by which the memory of the process that reads may grow while it reads a document. */
  memoryLimit?: number;
  /** Milliseconds of idle time after which a process is ended to free its memory. */
  idleLimit?: number;
}

/** Milliseconds that a page may take longer for each of its characters, and altogether. */
const LONGER = { each: 1_000 / 250_000, most: 25_000 };
/** Documents that may wait. A PDF may take half a minute. */
const WAITING = { pages: { all: 64, ofCaller: 48 }, pdfs: { all: 16, ofCaller: 12 } };

/**
 * Reads pages, and PDFs beside them, one at a time each, in a process for each kind. A process starts with the first
 * document of its kind, and is ended when one takes too long or too much memory, and when it is idle. Of a page that
 * exceeds a limit, the plain text is read. Must be closed.
 */
export function openArticleExtractor({
  timeLimit = limits.capture.extractionMs,
  pdfTimeLimit = limits.capture.pdfMs,
  memoryLimit = 1_000_000_000,
  idleLimit = 60_000,
}: ArticleExtractorOptions = {}): ArticleExtractor {
  const pages = openDocumentReader<PageContent>('extraction', { memoryLimit, idleLimit, waiting: WAITING.pages });
  const pdfs = openDocumentReader<PdfContent>('pdf', { memoryLimit, idleLimit, waiting: WAITING.pdfs });
  return {
    extract(html, url, { caller = '', scope = 'article' } = {}) {
      const limit = timeLimit + Math.min(LONGER.most, html.length * LONGER.each);
      const options = { caller, timeLimit: limit, fallback: { html, url, scope, isPlain: true } };
      return pages.read({ html, url, scope }, options).catch((error) => explain(error, timeLimit));
    },
    extractPdf: (bytes, caller = '') =>
      pdfs.read({ bytes }, { caller, timeLimit: pdfTimeLimit }).catch((error) => explain(error, pdfTimeLimit)),
    async close() {
      await Promise.all([pages.close(), pdfs.close()]);
    },
  };
}

function explain(error: unknown, timeLimit: number): never {
  if (error instanceof QueueFullError) {
    const sentence = 'Too many documents are waiting to be read. Try again later.';
    throw new RecollectError('UNAVAILABLE', sentence, { retryAfter: Math.ceil(timeLimit / 1_000), cause: error });
  }
  if (error instanceof ExceededError) {
    const sentence = `It takes too much ${error.limit} to read. Save its text instead.`;
    throw new RecollectError('EXTRACTION_FAILED', sentence, { cause: error });
  }
  throw error instanceof DocumentProblem ? new RecollectError('EXTRACTION_FAILED', error.message) : error;
}
