import type { Article } from '@recollect/core';

export interface ExtractRequest {
  id: number;
  html: string;
  url: string | null;
}

/** `hasBegun` comes first: from then on the thread reads the page. */
export type ExtractReply =
  | { id: number; hasBegun: true }
  | { id: number; article: Article }
  | { id: number; error: string };
