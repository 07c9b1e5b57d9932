import type { TextQuery } from '@recollect/core';
import type { Condition } from './condition.js';
import type { MatchAny } from './match.js';

export interface TextRequest {
  userId: string;
  query: TextQuery;
  limit: number;
  within: Condition | null;
  /** Chunks whose scores are wanted too. */
  also: readonly number[];
}

export interface CountedWord {
  word: string;
  rows: number;
}

/** Words that rank, and those of them that select the rows which are ranked. */
export interface RankedWords {
  matchAny: MatchAny;
  ranked: readonly CountedWord[];
  selecting: readonly CountedWord[];
}
