import type { Facts, Filter } from './lane-filter.js';

/** Filter values of a document, and its group. */
export interface DocumentFacts extends Facts {
  /** A UUID in lower case. Null or any other text means no group. */
  group: string | null;
}

/** A document of a text index. */
export interface TextDocument extends DocumentFacts {
  /** An integer from 0. */
  id: number;
  /** The number of words. */
  length: number;
  /** A number that differs for other terms or another length, such as a hash of the text. */
  digest: number;
  /** Each term once, with its weighted number of occurrences, an integer from 1. */
  terms: Iterable<readonly [term: string, weight: number]>;
}

/** A term as documents have it, or the beginning of terms, which count as one. */
export interface TextTerm {
  text: string;
  isBeginning?: boolean | undefined;
}

/** A word of a search: any of these terms, each of which ranks on its own. */
export type TextWord = readonly TextTerm[];

export interface RankRequest {
  /** The words that rank. */
  ranked: readonly TextWord[];
  /** Documents must have one of so many of the first words; of all words if missing. */
  selecting?: number | undefined;
  limit: number;
  filter?: Filter | undefined;
  /** More documents whose scores are wanted. They are not among the hits, and need not meet the filter. */
  also?: readonly number[] | undefined;
}

export interface TextHit {
  id: number;
  /** BM25. */
  score: number;
}

/** Changes, which take effect together. They throw a {@link FullError} when the memory cannot grow. */
export interface TextChanges {
  /** Adds a document or replaces the one with the same id. */
  put(document: TextDocument): void;
  /** Changes the facts of a document with the same digest. Returns whether there is one. */
  describe(document: Pick<TextDocument, 'id' | 'digest'> & DocumentFacts): boolean;
  remove(id: number): void;
}

/**
 * The whole index as bytes, which another process can continue with. Nothing may change or search the index between the
 * parts of one image.
 */
export interface TextImage {
  bytes(): number;
  /** Reads the part of the image that begins at an offset. */
  read(from: number, target: Uint8Array): void;
  /** Empties the index, and makes room for an image. Throws a {@link FullError} if there is none. */
  begin(bytes: number): void;
  /** Writes a part of the image. Until the last part, the index must not be used. */
  write(from: number, part: Uint8Array): void;
}

/** One thread's access to a shared text index. */
export interface Texts {
  /** Removes everything. */
  reset(): void;
  /** The number of documents, of those that ever were added, and of terms. */
  size(): { documents: number; added: number; terms: number };
  /** Allocated bytes. */
  bytes(): number;
  image: TextImage;
  /** Changes the index while no thread searches. */
  change<Result>(work: (changes: TextChanges) => Result): Result;
  /**
   * Returns the filter values of documents, in their order; undefined for a missing document. Does not wait: undefined
   * while another thread changes the index.
   */
  readFacts(ids: readonly number[]): (Facts | undefined)[] | undefined;
  /**
   * Returns the groups of documents with a label, by document id. Omits documents without a group. Does not wait:
   * undefined while another thread changes the index.
   */
  readGroups(ids: readonly number[], label: number): Map<number, string> | undefined;
  /**
   * How many documents have each word; without a filter, exactly for words of one term.
   *
   * @param limit from this number of documents on, the number may be an estimate
   */
  rows(words: readonly TextWord[], options: { limit: number; filter?: Filter | undefined }): number[];
  /** The documents with the highest scores, best first. Null if the words have too many documents to rank. */
  rank(request: RankRequest): { hits: TextHit[]; scores: Map<number, number> } | null;
  /** The documents with the greatest ids that have all words, greatest first. Null unless each word is one term. */
  newest(words: readonly TextWord[], options: { limit: number; filter?: Filter | undefined }): number[] | null;
}
