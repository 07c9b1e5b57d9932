import Defuddle from 'defuddle';

/** What Defuddle makes of a page. */
export interface Found {
  title: string;
  author: string;
  siteName: string;
  published: string;
  language: string;
  /** The article, as an element of a document that shows nothing, so that nothing is loaded or run. */
  content: HTMLElement;
  /** Whether Defuddle has an extractor for this very site. */
  isKnownSite: boolean;
}

/** Nothing is fetched. Text whose wording looks like boilerplate stays, because a list of facts can look the same. */
const OPTIONS = { useAsync: false, removeContentPatterns: false };

/** Reads a page with Defuddle, which modifies it. */
export function findWithDefuddle(copy: Document, url: string): Found {
  const found = new Defuddle(copy, { ...OPTIONS, url }).parse();
  const content = copy.createElement('body');
  content.innerHTML = found.content;
  return {
    title: found.title,
    author: found.author,
    siteName: found.site,
    published: found.published,
    language: found.language,
    content,
    isKnownSite: found.extractorType !== undefined,
  };
}
