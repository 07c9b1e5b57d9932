export interface Article {
  title: string;
  /** Markdown; empty when a page has no article. */
  text: string;
  /** Metadata of the document, such as author, site name, published time and language. */
  metadata: Readonly<Record<string, string>>;
  /** A sentence for the user about what could not be read; missing if everything was. */
  warning?: string;
}

/**
 * Extracts the article from a raw page, and the text from a PDF. Callers with several documents take turns, so that none
 * waits for all documents of another.
 */
export interface ArticleExtractor {
  /** Throws when the page takes longer than the extractor's time limit, and EXTRACTION_FAILED when it takes too much memory. */
  extract(html: string, url: string | null, caller?: string): Promise<Article>;
  /** Throws EXTRACTION_FAILED for a PDF that is damaged, protected or without text, and when it takes longer than the time limit. */
  extractPdf(bytes: Uint8Array, caller?: string): Promise<Article>;
  close(): Promise<void>;
}
