import { countWords } from '@recollect/contract/text';
import Defuddle from 'defuddle';
import { markJoints, withoutJoints } from './joints.js';
import { plainText } from './plain-text.js';

/** The result of Defuddle for a page. */
export interface Found {
  title: string;
  author: string;
  siteName: string;
  published: string;
  language: string;
  /** The article. */
  content: HTMLElement;
  /** Whether Defuddle has an extractor for this very site. */
  isKnownSite: boolean;
}

/** Nothing is fetched. Text whose wording looks like boilerplate stays, because a list of facts can look the same. */
const OPTIONS = { useAsync: false, removeContentPatterns: false };

/** Reads a page with Defuddle, which modifies it. */
export function findWithDefuddle(copy: Document, url: string): Found {
  if (copy.body !== null) markJoints(copy.body);
  const found = new Defuddle(copy, { ...OPTIONS, url }).parse();
  return {
    title: withoutJoints(found.title),
    author: withoutJoints(found.author),
    siteName: withoutJoints(found.site),
    published: withoutJoints(found.published),
    language: found.language,
    content: parseWithin(copy, withoutJoints(found.content)),
    isKnownSite: found.extractorType !== undefined,
  };
}

/** With these, Defuddle removes nothing by its own judgement. */
const KEEP_ALL = {
  removeExactSelectors: false,
  removePartialSelectors: false,
  removeHiddenElements: false,
  removeLowScoring: false,
  removeSmallImages: false,
  contentSelector: '[data-text]',
};

/** Unification may lose at most this share of the text: footnote marks and line numbers of code. */
const LOSS = 0.05;

/** Words that take Defuddle about a second. A longer text stays as its page has written it. */
const LONGEST = 40_000;

/**
 * Unifies the many ways in which pages write formulas, footnotes, code and headings, by the rules of Defuddle, in the
 * place of the page's own body. Returns the text unchanged if that would lose too much of it.
 */
export function unifyWithDefuddle(copy: Document, text: HTMLElement, url: string): HTMLElement {
  // Data about the article would make Defuddle look for another one.
  for (const data of copy.querySelectorAll('script')) data.remove();
  const whole = copy.createElement('div');
  whole.setAttribute('data-text', '');
  whole.append(...text.cloneNode(true).childNodes);
  // Of lists that are made of other elements, Defuddle loses items.
  for (const list of whole.querySelectorAll('[role="list"], [role="listitem"]')) list.removeAttribute('role');
  // Defuddle takes links out of headings. Those on cards are links around them.
  for (const link of whole.querySelectorAll('h1 > a, h2 > a, h3 > a, h4 > a, h5 > a, h6 > a')) swapWithHeading(link);
  copy.body.replaceChildren(whole);
  const size = countWords(plainText(whole));
  if (size > LONGEST) return text;
  markJoints(whole);
  const { content } = new Defuddle(copy, { ...OPTIONS, ...KEEP_ALL, url }).parse();
  const unified = parseWithin(copy, withoutJoints(content));
  return countWords(plainText(unified)) < (1 - LOSS) * size ? text : unified;
}

function swapWithHeading(link: Element): void {
  const heading = link.parentElement;
  if (heading === null || link.getAttribute('href')?.startsWith('#') === true) return;
  if (heading.textContent?.trim() !== link.textContent?.trim()) return;
  heading.replaceWith(link);
  heading.replaceChildren(...link.childNodes);
  link.append(heading);
}

/** HTML as an element of a document that shows nothing, so that nothing is loaded or run. */
function parseWithin(copy: Document, html: string): HTMLElement {
  const body = copy.createElement('body');
  body.innerHTML = html;
  return body;
}
