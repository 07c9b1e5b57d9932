export interface Article {
  title: string;
  /** Markdown; empty when the page has no article. */
  text: string;
  /** Metadata of the page, such as author, site name, published time and language. */
  metadata: Readonly<Record<string, string>>;
}

/** Extracts the article from a raw page. */
export interface ArticleExtractor {
  /** Throws when the page takes longer than the extractor's time limit. */
  extract(html: string, url: string | null): Promise<Article>;
  close(): Promise<void>;
}
