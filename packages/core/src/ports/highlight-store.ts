import type { Highlight } from '@recollect/contract';

/** A highlight as stored, with the displayed fields of its memory. */
export interface StoredHighlight extends Omit<Highlight, 'title' | 'url' | 'sourceType'> {
  /** Passage and note in the form that is searched: without case and accents. */
  folded: string;
}

export interface HighlightCursor {
  createdAt: string;
  id: string;
}

/** The highlights of all users. They are deleted with their memory, and hidden while it is in the trash. */
export interface HighlightStore {
  /** Stores a highlight. `unknown`: no live memory has this id. `full`: the memory has `most` highlights. */
  insert(userId: string, highlight: StoredHighlight, most: number): Promise<'stored' | 'unknown' | 'full'>;
  find(userId: string, id: string): Promise<Highlight | null>;
  /** False when unknown or hidden. */
  update(userId: string, id: string, change: { note: string | null; folded: string; now: string }): Promise<boolean>;
  /** False when unknown or hidden. */
  remove(userId: string, id: string): Promise<boolean>;
  /**
   * The highlights after the cursor, newest first. Their passage and note contain all words. The words are also folded.
   */
  list(
    userId: string,
    options: { memoryId: string | null; words: readonly string[]; limit: number; after: HighlightCursor | null },
  ): Promise<Highlight[]>;
}
