import type { TextQuery } from '@recollect/core';
import type { Condition } from './condition.js';
import type { MatchAny } from './match.js';

export interface TextRequest {
  userId: string;
  query: TextQuery;
  limit: number;
  within: Condition | null;
  /** More chunks whose scores are wanted. */
  also: readonly number[];
}

export interface CountedWord {
  word: string;
  rows: number;
}

/** Words that rank, and their subset that selects the rows to rank. */
export interface RankedWords {
  matchAny: MatchAny;
  ranked: readonly CountedWord[];
  selecting: readonly CountedWord[];
}
