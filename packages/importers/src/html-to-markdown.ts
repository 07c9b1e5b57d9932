import { toMarkdown } from '@recollect/extraction/dom';
import { parseHTML } from 'linkedom';

/** The Markdown of a piece of HTML. Relative addresses, which lead nowhere outside an export, become plain text. */
export function htmlToMarkdown(html: string): string {
  const { document } = parseHTML(`<html><body>${html}</body></html>`);
  return toMarkdown(document.body, 'about:blank');
}
