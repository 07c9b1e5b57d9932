/** A local reranker as data: everything but its tokenizer, which is in its folder. */
export interface RerankerRecipe {
  /** The most tokens that it reads of a query and a passage together, with special tokens; it ignores the rest. */
  readonly maxTokens: number;
  /** The scripts that it reads, by their Unicode names, such as `Latin`; null for all. */
  readonly scripts: readonly string[] | null;
}
