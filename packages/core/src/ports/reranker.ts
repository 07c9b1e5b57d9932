/** Judges how well passages answer a query by reading both together, which is slower and more accurate than comparing vectors. */
export interface Reranker {
  /** Changes with everything that affects scores: weights and tokenizer. */
  readonly id: string;
  /** The scripts that it reads, by their Unicode names, such as `Latin`; null for all. */
  readonly scripts: readonly string[] | null;
  /** The number of tokens of a text, without special tokens. */
  countTokens(text: string): number;
  /**
   * Scores each passage, in order. Scores of one query can be compared with each other, higher ones are better, and they have no
   * bounds. Throws if the model fails. After `signal` aborts, no further passage is scored, and it throws the signal's reason.
   *
   * @example
   * const [first, second] = await model.score('how hot for tea', ['Steep it below boiling.', 'The train was late.']);
   */
  score(query: string, passages: readonly string[], options?: { signal?: AbortSignal | undefined }): Promise<number[]>;
  close(): Promise<void>;
}
