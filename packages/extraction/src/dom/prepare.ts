import { countWords } from '@recollect/contract/text';
import { findPanels } from './find-panels.js';
import { removeLineNumbers } from './line-numbers.js';
import { removeNavigation } from './navigation.js';
import { protect } from './protect.js';
import { readFormulas } from './read-formulas.js';
import { readRuby } from './read-ruby.js';
import { captionOf, cellsOf, rowsOf } from './table-parts.js';

const LEAD_SELECTOR = [
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

const LISTED_LABELS = ['li', 'td', 'dd', 'article fieldset', 'main fieldset'].map((list) => `${list} label`).join();
const FILTERS = 'aside, nav, [class*="filter" i], [class*="facet" i], [class*="widget" i]';

/** Removes navigation from a copy of a page, and protects text that Defuddle would remove. */
export function prepare(copy: Document): void {
  readFormulas(copy);
  // Defuddle keeps hidden elements for the formulas in them.
  for (const formula of copy.querySelectorAll('[style="display:none"] math')) formula.remove();
  removeLineNumbers(copy);
  protect(copy);
  for (const link of copy.querySelectorAll('h1 a, h2 a, h3 a, h4 a, h5 a, h6 a, dt a')) {
    const isMark = link.getAttribute('href')?.startsWith('#') === true && countWords(link.textContent ?? '') === 0;
    if (isMark) link.remove();
  }
  removeNavigation(copy);
  readRuby(copy);
  // Defuddle removes labels. In a list of checkboxes the labels are the content,
  // unless the list filters the products of a shop.
  for (const label of copy.querySelectorAll(LISTED_LABELS))
    if (label.closest(FILTERS) === null) label.replaceWith(...label.childNodes);
  // Defuddle joins the words around a line break in a heading.
  for (const end of copy.querySelectorAll('h1 br, h2 br, h3 br, h4 br, h5 br, h6 br')) end.replaceWith(' ');
  // A term that explains itself when it is pressed is part of its sentence.
  const terms = Map.groupBy(copy.querySelectorAll('p button'), (term) => term.closest('p'));
  for (const [sentence, buttons] of terms) {
    const words = countWords(sentence?.textContent ?? '');
    for (const term of buttons)
      if (words > 2 * countWords(term.textContent ?? '')) term.replaceWith(...term.childNodes);
  }
  keepQuestions(copy);
  // The links beside the headings of a wiki.
  for (const edit of copy.querySelectorAll('.mw-editsection')) edit.remove();
  keepLeads(copy);
  // Class names such as "hero" make Defuddle remove the caption together with the image.
  const figures = new Set(
    Array.from(copy.querySelectorAll('figure figcaption'), (caption) => caption.closest('figure')),
  );
  for (const figure of figures)
    for (const element of figure === null ? [] : [figure, ...figure.querySelectorAll('*')])
      element.removeAttribute('class');
  // Defuddle leaves the link preview image out of the text, together with its description.
  for (const picture of copy.head.querySelectorAll('meta[property="og:image"], meta[name="twitter:image"]'))
    picture.remove();
  for (const table of copy.querySelectorAll('table')) unwrapColumn(table);
  // The fact table of an encyclopedia, which Defuddle removes because of its class.
  for (const box of copy.querySelectorAll('table.infobox')) box.removeAttribute('class');
}

const HEADING = 'h1, h2, h3, h4, h5, h6, dt, li, p, summary';

/** Replaces the buttons that open an answer with their words. As buttons, they would be removed. */
function keepQuestions(copy: Document): void {
  for (const [panel, control] of findPanels(copy, (element) => element.getAttribute('style') === 'display:none')) {
    if (!control.matches('button:not([role="tab"])') || countWords(panel.textContent ?? '') === 0) continue;
    const isWithin = control.closest(HEADING) !== null || control.querySelector(HEADING) !== null;
    const question = copy.createElement(isWithin ? 'span' : 'p');
    question.append(...control.childNodes);
    control.replaceWith(question);
  }
}

/** Moves the paragraph under the headline out of the header, which Defuddle removes as a whole. */
function keepLeads(copy: Document): void {
  for (const lead of copy.querySelectorAll(LEAD_SELECTOR)) {
    const words = countWords(lead.textContent ?? '');
    if (words < LEAD_WORDS.fewest || words > LEAD_WORDS.most || lead.querySelector('p, ul, h1') !== null) continue;
    const paragraph = copy.createElement('p');
    paragraph.append(...lead.childNodes);
    lead.replaceWith(paragraph);
    paragraph.closest('header')?.after(paragraph);
  }
}

/** Replaces a one-column table with paragraphs. As a table, its rows would be joined into one cell. */
function unwrapColumn(table: Element): void {
  const rows = rowsOf(table);
  if (rows.length < 2 || rows.some((row) => cellsOf(row).length > 1) || table.querySelector('table') !== null) return;
  const column = table.ownerDocument.createElement('div');
  for (const part of [captionOf(table), ...rows.map((row) => cellsOf(row)[0])]) {
    if (part == null) continue;
    const block = table.ownerDocument.createElement('p');
    block.append(...part.childNodes);
    column.append(block);
  }
  table.replaceWith(column);
}
