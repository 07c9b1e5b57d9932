export interface EmbedOptions {
  signal?: AbortSignal;
  /** `query` goes before all waiting `document` texts. */
  purpose: 'query' | 'document';
}

/** Makes embeddings. Vectors have length 1, and the same text always gives the same vector. */
export interface EmbeddingModel {
  /** Changes whenever vectors stop being comparable: name, version and quantisation. */
  readonly id: string;
  /**
   * One vector a text, in order. Throws when the model cannot be reached, answers out of time, or answers with a
   * wrong count, a wrong dimension or a number that is not finite.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  close(): Promise<void>;
}
