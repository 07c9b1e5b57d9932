import Defuddle from 'defuddle';
import { countWords } from '../words.js';
import { toMarkdown } from './to-markdown.js';

export interface Article {
  title: string;
  /** Markdown. */
  text: string;
  author: string;
  siteName: string;
  published: string;
  language: string;
  extractor: 'defuddle' | 'text';
}

/** Of more characters Defuddle takes over ten seconds; the plain text of such a page is taken as it is. */
const LONGEST = 4_000_000;

/** The article of a copy of a page, which is used up by it; null when the page has no text. */
export function findArticle(copy: Document, url: string): Article | null {
  const length = copy.body?.textContent?.length ?? 0;
  const plain = length > LONGEST ? toMarkdown(visible(copy.body), url) : '';
  const whole = copy.body?.cloneNode(true) as HTMLElement | undefined;
  const found = length > LONGEST ? null : new Defuddle(copy, { url, useAsync: false }).parse();
  const body = found === null ? null : new DOMParser().parseFromString(found.content, 'text/html').body;
  const text = body === null ? plain : toMarkdown(body, url);
  const facts = {
    title: found?.title || copy.title,
    author: found?.author ?? '',
    siteName: found?.site ?? '',
    published: found?.published ?? '',
    language: found?.language || copy.documentElement.lang,
  };
  if (countWords(text) > 0) return { ...facts, text, extractor: found === null ? 'text' : 'defuddle' };
  const fallback = whole === undefined ? '' : toMarkdown(visible(whole), url);
  return countWords(fallback) === 0 ? null : { ...facts, text: fallback, extractor: 'text' };
}

function visible(body: HTMLElement): HTMLElement {
  for (const hidden of body.querySelectorAll('[style="display:none"]')) hidden.remove();
  return body;
}
