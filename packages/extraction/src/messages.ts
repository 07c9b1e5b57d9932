import type { Article } from '@recollect/core';

/** A raw page. */
export interface PageContent {
  html: string;
  url: string | null;
}

/** A PDF. */
export interface PdfContent {
  bytes: Uint8Array;
}

export type Request<Content> = Content & { id: number };

/**
 * `hasBegun` comes first: from then on the thread reads the document. A `problem` is a sentence for the user about the document, and an
 * `error` is of its reader.
 */
export type Reply =
  | { id: number; hasBegun: true }
  | { id: number; article: Article }
  | { id: number; problem: string }
  | { id: number; error: string };
