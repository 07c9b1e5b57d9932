import type { CaptureMode, Comment } from '@recollect/contract';

/** Which part of a page is saved. */
export type ReadingMode = Exclude<CaptureMode, 'smart'>;

export interface Turn {
  role: string;
  text: string;
}

/** Metadata that the page states about itself. Values that it does not state are missing. */
export interface PageFacts {
  language?: string;
  author?: string;
  siteName?: string;
  published?: string;
  canonicalUrl?: string;
}

/** The parts that the content script found in a page. Each part that it found can be saved in the matching mode. */
export interface Reading {
  url: string;
  title: string;
  /** The client surface, recognised by the page's host. */
  sourceApp: 'web' | 'chatgpt' | 'claude' | 'openclaw';
  selection: string | null;
  messages: readonly Turn[] | null;
  pageText: string | null;
  /** All text of the page, if it has far more than the article. */
  wholeText: string | null;
  /** Which of both texts is saved as the page. */
  scope: 'article' | 'page';
  /** The comments below the article, saved with it but not as its text. */
  comments: readonly Comment[];
  /** Whether the comments are saved. */
  keepsComments: boolean;
  /** The PDF that the tab shows, in Base64. Its text is read by the server. */
  pdf: string | null;
  /** The mode that `smart` selects; null when there is nothing to save. */
  smart: ReadingMode | null;
  facts: PageFacts;
  /** The extractor of the article, such as `defuddle` or `text`. */
  extractor: string;
  /** Whether the last answer is still being written. If so, `messages` leaves it out. */
  isStreaming: boolean;
  /** Why nothing could be read, if the document type is the reason. */
  problem: 'pdf' | 'large-pdf' | 'not-a-page' | null;
}

export interface ReadOptions {
  /** OpenClaw hosts, with or without a port. */
  openclawHosts: readonly string[];
  /** Reads the turns only, to poll a conversation that is still being written. */
  turnsOnly?: boolean;
}
