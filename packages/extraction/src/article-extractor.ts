import { type ArticleExtractor, RecollectError } from '@recollect/core';
import type { PageContent, PdfContent } from './messages.js';
import { DocumentProblem, ExcessError, openReaderThread } from './reader-thread.js';

export interface ArticleExtractorOptions {
  /** Milliseconds that one page may take, from when its thread begins to read it. */
  timeLimit?: number;
  /** The same for a PDF, which may have a thousand pages. */
  pdfTimeLimit?: number;
  /** Bytes by which the memory of the process may grow while a document is read. */
  memoryLimit?: number;
  /** Milliseconds of idle time after which a thread is terminated to free its memory. */
  idleLimit?: number;
}

/**
 * Reads pages, and PDFs beside them, one at a time each, in a worker thread for each kind. A thread starts with the first document of its
 * kind, and is terminated when one takes too long or too much memory, and when it is idle. Must be closed.
 */
export function openArticleExtractor({
  timeLimit = 5_000,
  pdfTimeLimit = 30_000,
  memoryLimit = 1_000_000_000,
  idleLimit = 60_000,
}: ArticleExtractorOptions = {}): ArticleExtractor {
  const pages = openReaderThread<PageContent>(new URL('./extraction-thread.js', import.meta.url), {
    timeLimit,
    memoryLimit,
    idleLimit,
  });
  const pdfs = openReaderThread<PdfContent>(new URL('./pdf-thread.js', import.meta.url), {
    timeLimit: pdfTimeLimit,
    memoryLimit,
    idleLimit,
  });
  const tell = (error: unknown) => {
    if (error instanceof ExcessError) {
      const sentence = 'It takes too much memory to read. Send its text as pageText instead.';
      throw new RecollectError('EXTRACTION_FAILED', sentence);
    }
    throw error instanceof DocumentProblem ? new RecollectError('EXTRACTION_FAILED', error.message) : error;
  };
  return {
    extract: (html, url, caller = '') => pages.read({ html, url }, caller).catch(tell),
    extractPdf: (bytes, caller = '') => pdfs.read({ bytes }, caller).catch(tell),
    async close() {
      await Promise.all([pages.close(), pdfs.close()]);
    },
  };
}
