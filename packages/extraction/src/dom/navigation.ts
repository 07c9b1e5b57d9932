import { countWords } from '@recollect/contract/text';

/** A table of contents has at least this many links into its page, which hold at least this share of its words. */
const TABLE_OF_CONTENTS = { links: 4, share: 0.8 };
const LISTS = 'ul, ol, table, nav, p, pre, div';
/** The letters between the words of an index. */
const SINGLE_LETTERS = /(?<![\p{L}\p{N}_])[A-Z](?![\p{L}\p{N}_])/gu;

/** Links to the pages before and after, and to the chapter above, as generators of manuals mark them. */
const PAGE_TURNERS = ['next', 'prev', 'previous', 'up']
  .map((name) => `a[rel~="${name}"]`)
  .concat(['n', 'p', 'u'].map((key) => `a[accesskey="${key}"]`))
  .join();
const ROWS = 'ul, ol, table, nav, p';
/** A row of such links has fewer words, titles of the chapters included, and less than half of the page's. */
const ROW_WORDS = 60;

/** Removes lists of links that lead through a page, and rows of links that lead to the pages around it. */
export function removeNavigation(copy: Document): void {
  for (const list of copy.querySelectorAll(LISTS)) if (isTableOfContents(list)) list.remove();
  const turners = copy.querySelectorAll(PAGE_TURNERS);
  if (turners.length === 0) return;
  const most = Math.min(ROW_WORDS, countWords(copy.body.textContent ?? '') / 2);
  const rows = new Set(Array.from(turners, (link) => link.closest(ROWS) ?? link.parentElement));
  for (const row of rows) if (row !== null && countWords(row.textContent ?? '') < most) row.remove();
}

function isTableOfContents(list: Element): boolean {
  if (!list.isConnected) return false;
  // Fast path: nearly every block has a link to another page, and the first such link rules it out.
  if (list.querySelector('a[href]:not([href^="#"])') !== null) return false;
  const links = [...list.querySelectorAll('a[href]')];
  if (links.length < TABLE_OF_CONTENTS.links) return false;
  const inLinks = links.reduce((sum, { textContent }) => sum + countWords(textContent ?? ''), 0);
  return inLinks >= TABLE_OF_CONTENTS.share * countWords((list.textContent ?? '').replace(SINGLE_LETTERS, ''));
}
