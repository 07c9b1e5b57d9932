import type { Extraction } from '@recollect/contract/vocabulary';
import type { Article } from '@recollect/core';

/** A raw page. */
export interface PageContent {
  html: string;
  url: string | null;
  scope: Extraction;
  /** Whether to read its text without looking for an article, because that takes too long. */
  isPlain?: boolean;
}

/** A PDF. */
export interface PdfContent {
  bytes: Uint8Array;
}

/** The options of the process of a reader. */
export interface ReaderJob {
  /** The module of its worker thread. */
  thread: 'extraction' | 'pdf';
  memoryLimit: number;
}

export type Request<Content> = Content & { id: number; timeLimit: number };

/**
 * `hasBegun` comes first: from then on the thread reads the document. A `problem` is a sentence for the user about the
 * document, and an `error` is of its reader.
 */
export type Reply =
  | { id: number; hasBegun: true }
  | { id: number; article: Article }
  | { id: number; problem: string }
  | { id: number; error: string };

/** The messages of the process: the replies of its thread, or the limit that a document exceeded. */
export type FromReader = Reply | { id: number; exceeded: 'time' | 'memory' };
