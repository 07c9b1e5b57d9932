import type { CaptureMode } from '@recollect/contract';

/** A way in which a page's content can be taken. */
export type ReadingMode = Exclude<CaptureMode, 'smart'>;

export interface Turn {
  role: string;
  text: string;
}

/** What a page says of itself. What it does not say is missing. */
export interface PageFacts {
  language?: string;
  author?: string;
  siteName?: string;
  published?: string;
  canonicalUrl?: string;
}

/** What the content script found in a page. The parts that it found can be saved, each as its mode. */
export interface Reading {
  url: string;
  title: string;
  /** The client surface, recognised by the page's host. */
  sourceApp: 'web' | 'chatgpt' | 'claude' | 'openclaw';
  selection: string | null;
  messages: readonly Turn[] | null;
  pageText: string | null;
  /** What `smart` takes; null when there is nothing to take. */
  smart: ReadingMode | null;
  facts: PageFacts;
  /** What the article was found by, such as `defuddle` or `text`. */
  extractor: string;
  /** Whether the last answer is still being written; it is not among the messages then. */
  isStreaming: boolean;
  /** Why there is nothing of a page, where the kind of document explains it. */
  problem: 'pdf' | 'not-a-page' | null;
}

export interface ReadOptions {
  /** Hosts of OpenClaw, with a port or without. */
  openclawHosts: readonly string[];
  /** Of a conversation that is being written: its turns, and nothing else of the page. */
  turnsAlone?: boolean;
}
