import Defuddle from 'defuddle';
import { plainText } from './plain-text.js';
import { prepare } from './prepare.js';
import { readThread } from './read-thread.js';
import { toMarkdown } from './to-markdown.js';

export interface Article {
  title: string;
  /** Markdown. */
  text: string;
  author: string;
  siteName: string;
  published: string;
  language: string;
  extractor: 'thread' | 'defuddle' | 'text';
}

/** Of so many characters Defuddle and Markdown take over two seconds; the plain text of a longer page is taken as it is. */
const LONGEST = 1_000_000;

/** Nothing is fetched. What looks like boilerplate by its words stays, since a list of facts may look so too. */
const OPTIONS = { useAsync: false, removeContentPatterns: false };

/**
 * The article of a copy of a page, which is used up by it; null when the page has no text. What is known of a forum goes
 * before what Defuddle finds, since that takes one post for the article and the rest for its comments.
 */
export function findArticle(copy: Document, url: string): Article | null {
  const isLong = (copy.body?.textContent?.length ?? 0) > LONGEST;
  if (!isLong) prepare(copy);
  const thread = isLong ? null : readThread(copy);
  const whole = copy.body.cloneNode(true) as HTMLElement;
  const found = isLong ? null : new Defuddle(copy, { ...OPTIONS, url }).parse();
  const facts = {
    title: found?.title || copy.title,
    author: found?.author ?? '',
    siteName: found?.site ?? '',
    published: found?.published ?? '',
    language: found?.language || copy.documentElement.lang,
  };
  const body = found === null ? null : new DOMParser().parseFromString(found.content, 'text/html').body;
  const candidates: readonly [Article['extractor'], () => string][] = [
    ['thread', () => (thread === null ? '' : toMarkdown(thread, url))],
    ['defuddle', () => (body === null ? '' : toMarkdown(body, url))],
    ['text', () => plainText(mainOf(whole))],
  ];
  for (const [extractor, read] of candidates) {
    const text = read();
    if (/[\p{L}\p{N}]/u.test(text)) return { ...facts, text, extractor };
  }
  return null;
}

/** What the page itself calls its main part, where it does and that is most of it. */
function mainOf(body: HTMLElement): Element {
  const length = (element: Element) => element.textContent?.length ?? 0;
  const parts = [...body.querySelectorAll('article, main, [role="main"]')];
  const longest = parts.reduce<Element>(
    (most, part) => (most === body || length(part) > length(most) ? part : most),
    body,
  );
  return length(longest) > length(body) / 2 ? longest : body;
}
