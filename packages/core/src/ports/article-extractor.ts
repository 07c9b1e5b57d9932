export interface Article {
  title: string;
  /** Markdown; empty when a page has no article. */
  text: string;
  /** Metadata of the document, such as author, site name, published time and language. */
  metadata: Readonly<Record<string, string>>;
  /** A sentence for the user about unreadable parts; missing if there are none. */
  warning?: string;
}

/**
 * Extracts the article from a raw page, and the text from a PDF. Callers with several documents take turns, so that none
 * waits for all documents of another.
 */
export interface ArticleExtractor {
  /** Reads the plain text, with a warning, of a page that takes too much time or memory. Throws UNAVAILABLE when too many wait. */
  extract(html: string, url: string | null, caller?: string): Promise<Article>;
  /**
   * Throws EXTRACTION_FAILED for a PDF that is damaged, protected or without text, or takes too much time or memory, and UNAVAILABLE when too many wait.
   */
  extractPdf(bytes: Uint8Array, caller?: string): Promise<Article>;
  close(): Promise<void>;
}
