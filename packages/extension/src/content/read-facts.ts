import type { Article } from '@recollect/extraction/dom';
import type { PageFacts } from '../reading.js';

/** Long enough for any name and most addresses; a longer value is an error in the page. */
const MAX_LENGTH = 1_000;

/** The page's metadata, from its markup and from the extracted article. */
export function readFacts(document: Document, article: Article | null): PageFacts {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel~="canonical"]')?.href;
  const facts: Record<keyof PageFacts, string | undefined> = {
    language: article?.language || document.documentElement?.lang,
    author: article?.author,
    siteName: article?.siteName,
    published: article?.published,
    canonicalUrl: canonical !== undefined && /^https?:/.test(canonical) ? canonical : undefined,
  };
  return Object.fromEntries(
    Object.entries(facts)
      .map(([name, value]) => [name, value?.trim() ?? ''] as const)
      .filter(([, value]) => value !== '' && value.length <= MAX_LENGTH),
  );
}
