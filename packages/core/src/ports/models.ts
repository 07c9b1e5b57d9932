import type { Capture, ExportItem, ModelState } from '@recollect/contract';
import type { Extraction, Place, ShippedModel } from '@recollect/contract/vocabulary';
import type { Comment } from '../memory.js';

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
  /**
   * Whether the model's own vectors have length 1. {@link EmbeddingModel.embed} returns them with length 1 either way.
   */
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
  /** A bit per component, a token after the other, as `signsOf` in in-memory-index makes them. */
  signs: Uint8Array;
}

/**
 * The token vectors of a model, which compare a query with a passage word by word, in their contexts. Both methods
 * return the vectors that {@link EmbeddingModel.embed} returns too, from the same run of the model.
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
   * Returns one vector per text, in order. Throws if the model cannot be reached, times out, or returns a wrong count,
   * a wrong dimension or a number that is not finite.
   *
   * @example
   * const [vector] = await model.embed(['how hot for tea'], { purpose: 'query' });
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  /** Missing where a model gives no token vectors, or they are not wanted. */
  readonly late?: LateInteraction | undefined;
  close(): Promise<void>;
}

/** The embedding models that ship, and the choice of one of them for a store. */
export interface ModelCatalogue {
  state(): ModelState;
  /** Writes down the choice, and has the service start again if it does not use this model. */
  choose(model: ShippedModel): Promise<void>;
}

/**
 * Judges how well passages answer a query by reading both together, which is slower and more accurate than comparing
 * vectors.
 */
export interface Reranker {
  /** Changes with everything that affects scores: weights and tokenizer. */
  readonly id: string;
  /** The scripts that it reads, by their Unicode names, such as `Latin`; null for all. */
  readonly scripts: readonly string[] | null;
  /** The number of tokens of a text, without special tokens. */
  countTokens(text: string): number;
  /**
   * Scores each passage, in order. Scores of one query can be compared with each other, higher ones are better, and
   * they have no bounds. Throws if the model fails. After `signal` aborts, no further passage is scored, and it throws
   * the signal's reason.
   *
   * @example
   * const [first, second] = await model.score('how hot for tea', ['Steep it below boiling.', 'The train was late.']);
   */
  score(query: string, passages: readonly string[], options?: { signal?: AbortSignal | undefined }): Promise<number[]>;
  close(): Promise<void>;
}

export interface Article {
  title: string;
  /** Markdown; empty when a page has no article. */
  text: string;
  /** The comments below the article, in order; none if missing. */
  comments?: readonly Comment[];
  /** Metadata of the document, such as author, site name, published time and language. */
  metadata: Readonly<Record<string, string>>;
  /** A sentence for the user about unreadable parts; missing if there are none. */
  warning?: string;
}

export interface ExtractOptions {
  /** Callers with several documents take turns. */
  caller?: string;
  /** The article, or all text that the page shows. */
  scope?: Extraction;
}

/**
 * Extracts the article from a raw page, and the text from a PDF. Callers with several documents take turns, so that
 * none waits for all documents of another.
 */
export interface ArticleExtractor {
  /**
   * Reads the plain text, with a warning, of a page that takes too much time or memory. Throws UNAVAILABLE when too
   * many wait.
   */
  extract(html: string, url: string | null, options?: ExtractOptions): Promise<Article>;
  /**
   * Throws EXTRACTION_FAILED for a PDF that is damaged, protected or without text, or takes too much time or memory,
   * and UNAVAILABLE when too many wait.
   */
  extractPdf(bytes: Uint8Array, caller?: string): Promise<Article>;
  close(): Promise<void>;
}

/** A memory that another program exported. */
export interface ExportedItem {
  capture: Capture;
  /** Whether it is a link: an address whose page the export does not have. */
  isLink?: boolean;
  /** Whether it was starred, a favourite or pinned. */
  isStarred?: boolean;
  /** Whether it was archived after reading, or read. */
  isRead?: boolean;
  /** Whether it was read in part. */
  isReading?: boolean;
  /** Where the other program keeps it, if it has an inbox or a list to read later. */
  place?: Place;
  /** When its file was changed last, as ISO 8601 in UTC: its time if neither the capture nor the text states one. */
  changedAt?: string;
}

/** The content of an export, in its order. */
export type ExportPart =
  /** A program whose export was recognised. The following items belong to it, until the next program. */
  | { program: string }
  | ExportedItem
  /**
   * An item that is not imported, and why. `isExpected` says that nothing is lost:
   * it is empty, was deleted there, or is part of another item.
   */
  | { skipped: string; reason: string; isExpected?: boolean }
  /** An item that cannot be read, and why. */
  | { failed: string; reason: string }
  /** A file of an archive that is not a known export, and whether it is a text. */
  | { other: string; isText?: boolean };

/** Reads exports of Recollect and of other programs. */
export interface ExportReader {
  /** The other programs, as messages call them. */
  programs(): Promise<readonly string[]>;
  /**
   * Opens an export of Recollect, also a compressed one; null for another path. Throws the system's error for a file
   * that cannot be read, and later EXPORT_UNREADABLE for an export that this version cannot read, and the signal's
   * reason.
   */
  records(path: string, signal?: AbortSignal | undefined): Promise<AsyncIterable<ExportItem> | null>;
  /**
   * Reads an export of another program, also compressed, or an archive or a folder with the files of one. Throws the
   * system's error for a file that cannot be read, EXPORT_UNREADABLE for an archive that is damaged or incomplete, and
   * the signal's reason.
   *
   * @param options.name the name that the file had where it comes from
   * @param options.programs those whose exports are read; all by default
   */
  read(
    path: string,
    options: { name: string; signal?: AbortSignal | undefined; programs?: readonly string[] | undefined },
  ): AsyncIterable<ExportPart>;
}
