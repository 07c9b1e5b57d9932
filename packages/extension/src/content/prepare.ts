import { countWords } from '../words.js';
import { mathToTex } from './math-to-tex.js';

/** Lists of links into the page itself are its table of contents: of so many links, and of this share of the words. */
const CONTENTS = { links: 4, share: 0.8 };
const LEAD = [
  'standfirst',
  'subheading',
  'subheadline',
  'article-lead',
  'article__lead',
  'lede',
  'dek',
  'deck',
  'strapline',
]
  .map((name) => `article [class*="${name}"], main [class*="${name}"]`)
  .join();
const LEAD_WORDS = { fewest: 8, most: 120 };
const LISTS = 'ul, ol, table, nav, p, pre, div';

/** Takes from a copy of a page what is for finding one's way in it, and keeps from being taken what is text. */
export function prepare(copy: Document): void {
  for (const link of copy.querySelectorAll('h1 a, h2 a, h3 a, h4 a, h5 a, h6 a, dt a')) {
    const isMark = link.getAttribute('href')?.startsWith('#') === true && countWords(link.textContent ?? '') === 0;
    if (isMark) link.remove();
  }
  for (const list of copy.querySelectorAll(LISTS)) if (isContents(list)) list.remove();
  keepLeads(copy);
  // Names of classes such as "hero" would take the picture's caption away with the picture.
  for (const caption of copy.querySelectorAll('figure figcaption')) {
    const figure = caption.closest('figure') ?? caption;
    for (const element of [figure, ...figure.querySelectorAll('*')]) element.removeAttribute('class');
  }
  // The picture that links show, which would be left out of the text with what it says of itself.
  for (const picture of copy.head.querySelectorAll('meta[property="og:image"], meta[name="twitter:image"]'))
    picture.remove();
  for (const table of copy.querySelectorAll('table')) openColumn(table);
  for (const formula of copy.querySelectorAll('math')) {
    if (formula.querySelector('annotation') === null && !formula.hasAttribute('alttext'))
      formula.setAttribute('data-latex', mathToTex(formula));
  }
  // Facts of an encyclopedia: a table that is told from others by its class alone.
  for (const box of copy.querySelectorAll('table.infobox')) box.removeAttribute('class');
}

/** The paragraph under the headline stands after the header, which is left out as a whole. */
function keepLeads(copy: Document): void {
  for (const lead of copy.querySelectorAll(LEAD)) {
    const words = countWords(lead.textContent ?? '');
    if (words < LEAD_WORDS.fewest || words > LEAD_WORDS.most || lead.querySelector('p, ul, h1') !== null) continue;
    const paragraph = copy.createElement('p');
    paragraph.append(...lead.childNodes);
    lead.replaceWith(paragraph);
    paragraph.closest('header')?.after(paragraph);
  }
}

/** A table of one column is a list of paragraphs, which would be run together as one cell. */
function openColumn(table: HTMLTableElement): void {
  const rows = [...table.rows];
  if (rows.length < 2 || rows.some(({ cells }) => cells.length > 1) || table.querySelector('table') !== null) return;
  const column = table.ownerDocument.createElement('div');
  for (const part of [table.caption, ...rows.map(({ cells }) => cells[0])]) {
    if (part == null) continue;
    const block = table.ownerDocument.createElement('p');
    block.append(...part.childNodes);
    column.append(block);
  }
  table.replaceWith(column);
}

function isContents(list: Element): boolean {
  if (!list.isConnected) return false;
  // Nearly every block has a link that leads elsewhere, and is given up at the first of them.
  if (list.querySelector('a[href]:not([href^="#"])') !== null) return false;
  const links = [...list.querySelectorAll('a[href]')];
  if (links.length < CONTENTS.links) return false;
  const inLinks = links.reduce((sum, { textContent }) => sum + countWords(textContent ?? ''), 0);
  return inLinks >= CONTENTS.share * countWords(list.textContent ?? '');
}
