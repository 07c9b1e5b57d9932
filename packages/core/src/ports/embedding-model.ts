/** The purpose of an embedding. */
export type EmbeddingPurpose = 'query' | 'document';

export interface EmbedOptions {
  signal?: AbortSignal | undefined;
  /** Selects the prefix. Queries are embedded before all waiting documents. */
  purpose: EmbeddingPurpose;
  /** Whether these documents are part of a backlog: all other texts are embedded first. */
  isBacklog?: boolean | undefined;
}

/** Evidence for a result in another language than the query: weights of a logistic regression, measured for a model. */
export interface AcrossLanguages {
  readonly similarity: number;
  readonly late: number;
  /** Below 0: a text that has words of the query is in its language, and judged as such. */
  readonly text: number;
  readonly constant: number;
}

/** Describes a model. Code depends on these properties and never on which model it is. */
export interface ModelProfile {
  /** Numbers in a vector; null until a remote service has answered once. */
  readonly dimensions: number | null;
  /** The most tokens that the model reads of one text, with special tokens and prefix; it ignores the rest. */
  readonly maxTokens: number;
  /** The number of tokens of a text, without special tokens and prefix. Fast enough to be called for every sentence. */
  countTokens(text: string): number;
  /** Prefixes that the model adds to each text; empty for models that need none. */
  readonly prefixes: Readonly<Record<EmbeddingPurpose, string>>;
  /** How token vectors become one vector; null where a service does it. */
  readonly pooling: 'mean' | 'cls' | null;
  /** Whether the model's own vectors have length 1. {@link EmbeddingModel.embed} returns them with length 1 either way. */
  readonly isNormalised: boolean;
  /** The cosine of two unrelated texts. Similarity is measured from this value. */
  readonly similarityFloor: number;
  /** The scripts that the model reads, by their Unicode names, such as `Latin`; null for all. */
  readonly scripts: readonly string[] | null;
  /** The weight of vectors against full text in fusion, 0 to 1, as measured for this model. */
  readonly fusionWeight: number;
  /** Missing for models that do not read several languages. */
  readonly acrossLanguages?: AcrossLanguages | undefined;
}

/** A query with the vectors of its tokens. */
export interface QueryEmbedding {
  vector: Float32Array;
  /** Of length 1 each, one after the other. */
  tokens: Float32Array;
}

/** A document with the signs of the vectors of its tokens. */
export interface PassageEmbedding {
  vector: Float32Array;
  /** A bit per component, a token after the other, as `signsOf` in vector-scan makes them. */
  signs: Uint8Array;
}

/**
 * The token vectors of a model, which compare a query with a passage word by word, in their contexts. Both methods return the
 * vectors that {@link EmbeddingModel.embed} returns too, from the same run of the model.
 */
export interface LateInteraction {
  /** The weight of the comparison of tokens when the best candidates are ranked again, above 0 and below 1. */
  readonly weight: number;
  embedQuery(text: string, options?: Pick<EmbedOptions, 'signal'>): Promise<QueryEmbedding>;
  embedPassages(texts: readonly string[], options?: Omit<EmbedOptions, 'purpose'>): Promise<PassageEmbedding[]>;
}

/** Makes embeddings. Vectors have length 1, and the same text always gets the same vector for the same purpose. */
export interface EmbeddingModel {
  /** Changes with everything that affects vectors: weights, tokenizer, prefixes, pooling and normalisation. */
  readonly id: string;
  readonly profile: ModelProfile;
  /**
   * Returns one vector per text, in order. Throws if the model cannot be reached, times out, or returns a wrong count, a wrong
   * dimension or a number that is not finite.
   *
   * @example
   * const [vector] = await model.embed(['how hot for tea'], { purpose: 'query' });
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  /** Missing where a model gives no token vectors, or they are not wanted. */
  readonly late?: LateInteraction | undefined;
  close(): Promise<void>;
}
