import { judgePage, keepText } from './blocks/index.js';
import type { PageComment } from './blocks/read-comments.js';
import { findWithDefuddle, unifyWithDefuddle } from './find-with-defuddle.js';
import { plainText } from './plain-text.js';
import { prepare } from './prepare.js';
import { readFormulas } from './read-formulas.js';
import { readThread } from './read-thread.js';
import { readTitle } from './read-title.js';
import { toMarkdown } from './to-markdown.js';

export interface Article {
  title: string;
  /** Markdown. */
  text: string;
  author: string;
  siteName: string;
  published: string;
  language: string;
  /** The comments below the article, which are not part of its text, with replies after what they answer. */
  comments: readonly PageComment[];
  extractor: 'thread' | 'blocks' | 'defuddle' | 'page' | 'text';
  /** All text of the page as Markdown, with its menus. Converted at each call. */
  readWhole(): string;
}

/** Where a page was found, and the address that its links are relative to. */
export interface Address {
  url: string;
  base: string;
}

/** Characters that take Defuddle and the Markdown conversion over two seconds. Longer pages are saved as plain text. */
const MAX_LENGTH = 1_000_000;

/**
 * Finds the article in a copy of a page, which it modifies; null when the page has no text. Keeps the posts of known
 * forums, and Defuddle's result for sites that Defuddle knows.
 * Judges the blocks of any other page, with the results of Readability and Defuddle as evidence. With the scope `page`,
 * all text of the page is kept.
 */
export function findArticle(
  copy: Document,
  { url, base }: Address,
  scope: 'article' | 'page' = 'article',
): Article | null {
  const isLong = (copy.body?.textContent?.length ?? 0) > MAX_LENGTH;
  if (isLong) readFormulas(copy);
  else prepare(copy);
  const correctTitle = readTitle(copy, url);
  const thread = isLong ? null : readThread(copy);
  const whole = copy.body.cloneNode(true) as HTMLElement;
  const judged = isLong || thread !== null || scope === 'page' ? null : judgePage(copy, url);
  const found = isLong ? null : findWithDefuddle(copy, url);
  const facts = {
    ...correctTitle(found ?? { title: '', siteName: '', author: '' }),
    author: found?.author ?? '',
    published: found?.published ?? '',
    language: found?.language || copy.documentElement.lang,
  };
  let comments: readonly PageComment[] = [];
  const chooseText = () => {
    if (judged === null || found === null || found.isKnownSite) return '';
    const other = {
      title: facts.title,
      text: plainText(found.content),
      footnotes: [...found.content.querySelectorAll('[id^="fn:"]')].map(plainText).join('\n'),
      pictures: [...found.content.querySelectorAll('img')].map((picture) => picture.getAttribute('src') ?? ''),
    };
    const kept = keepText(judged, other, base);
    if (kept === null) return '';
    comments = kept.comments;
    return toMarkdown(unifyWithDefuddle(copy, kept.text, url), base);
  };
  const readWhole = () => (isLong ? plainText(whole) : toMarkdown(whole.cloneNode(true) as HTMLElement, base));
  const candidates: readonly (readonly [Article['extractor'], () => string])[] = [
    ...(scope === 'page' ? [['page', readWhole] as const] : []),
    ['thread', () => (thread === null ? '' : toMarkdown(thread, base))],
    ['blocks', chooseText],
    ['defuddle', () => (found === null ? '' : toMarkdown(found.content, base))],
    // A page that has only links, such as exported bookmarks, is not an article; keep its addresses.
    ['text', () => (isLong ? '' : toMarkdown(mainOf(whole).cloneNode(true) as HTMLElement, base))],
    ['text', () => plainText(mainOf(whole))],
  ];
  for (const [extractor, read] of candidates) {
    const text = read();
    if (/[\p{L}\p{N}]/u.test(text))
      return { ...facts, text, comments: extractor === 'blocks' ? comments : [], extractor, readWhole };
  }
  return null;
}

/** The part that the page marks as its main one, if it holds most of the text; otherwise the body. */
function mainOf(body: HTMLElement): HTMLElement {
  const length = (element: Element) => element.textContent?.length ?? 0;
  const parts = [...body.querySelectorAll<HTMLElement>('article, main, [role="main"]')];
  const longest = parts.reduce<HTMLElement>(
    (most, part) => (most === body || length(part) > length(most) ? part : most),
    body,
  );
  return length(longest) > length(body) / 2 ? longest : body;
}
