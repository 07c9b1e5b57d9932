import type { Article } from '@recollect/core';

export interface ExtractRequest {
  id: number;
  html: string;
  url: string | null;
}

export type ExtractReply = { id: number; article: Article } | { id: number; error: string };
