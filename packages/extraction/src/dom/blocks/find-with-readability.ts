import { Readability } from '@mozilla/readability';
import { plainText } from '../plain-text.js';

/** The text that Readability finds in a page, which is not changed; empty where it finds none. */
export function findWithReadability(page: Document, body: Element): string {
  const copy = page.cloneNode(true) as Document;
  copy.body.replaceWith(body.cloneNode(true));
  try {
    const found = new Readability(copy, { serializer: (root) => root as Element }).parse();
    return found?.content == null ? '' : plainText(found.content);
  } catch {
    // Its result is only evidence: the page has its text without it.
    return '';
  }
}
