import { codeOf, languageOf } from './code-blocks.js';

/** Part of the text, although Defuddle removes every `aside`: footnotes and boxes of docutils, which Sphinx uses. */
const TEXT_ASIDES =
  'aside.footnote-list, aside.footnote, aside.topic:not(.contents), aside.admonition, aside[role="note"]';
/**
 * Links within the page whose words Defuddle would remove: it takes "ref" in a class for a footnote, and those in
 * headings for marks.
 */
const REFERENCES = ['a[href^="#"][class*="ref" i]']
  .concat(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((heading) => `${heading} a[href^="#"]`))
  .join();
/** Names of classes that tell marks beside headings, and footnotes, from references. */
const NO_REFERENCE = /anchor|permalink|headerlink|foot|fn-?ref|note-?ref|back-?ref|cite/i;
/** The words of such marks, for those who do not see them. */
const MARK = /\b(?:permalink|link|anchor)\b/i;
/**
 * The text of a document that docutils or Sphinx made, whose sections have their headlines as ids, by the link beside
 * its headline.
 */
const MADE_BY_DOCUTILS = 'section[id] > h1 > a.headerlink, div.section[id] > h1 > a.headerlink';
/** The text of a page that rustdoc made, and the controls beside each item in it. */
const MADE_BY_RUSTDOC = '.rustdoc #main-content';
const BESIDE_ITEMS =
  'a.src, a.srclink, .rightside, .main-heading .out-of-band, .main-heading .sub-heading, summary.hideme, .notable-traits'
    .split(', ')
    .map((part) => `${MADE_BY_RUSTDOC} ${part}`)
    .join();
/** Elements in a code block that take Defuddle more than a second. */
const MAX_CODE_ELEMENTS = 1_000;
/** White space within code, for which Defuddle takes quadratic time. */
const MAX_GAP = 1_000;

/** Changes text that Defuddle would remove or read too slowly. */
export function protect(copy: Document): void {
  for (const part of copy.querySelectorAll(BESIDE_ITEMS)) part.remove();
  // Defuddle removes sections with ids such as "registering-as-a-member", and sections that only have a signature full
  // of links. It spares elements with its own mark.
  const links = copy.querySelectorAll(MADE_BY_DOCUTILS);
  for (const text of [...Array.from(links, (link) => link.closest('[id]')), ...copy.querySelectorAll(MADE_BY_RUSTDOC)])
    text?.setAttribute('data-defuddle', '');
  // In Markdown, links within the page are text anyway.
  for (const link of copy.querySelectorAll(REFERENCES)) {
    const words = link.textContent ?? '';
    const isReference = !NO_REFERENCE.test(link.className) && /\p{L}/u.test(words) && !MARK.test(words);
    if (isReference) link.replaceWith(...link.childNodes);
  }
  for (const title of copy.querySelectorAll('.admonition-title, .topic-title')) {
    const bold = copy.createElement('strong');
    bold.append(...title.childNodes);
    title.append(bold);
  }
  for (const aside of copy.querySelectorAll(TEXT_ASIDES)) {
    const block = copy.createElement('div');
    block.append(...aside.childNodes);
    aside.replaceWith(block);
  }
  for (const code of copy.querySelectorAll('pre')) {
    const written = codeOf(code);
    const shortened = written.replace(/\s+/g, (gap) => gap.slice(0, MAX_GAP));
    if (code.querySelectorAll('*').length <= MAX_CODE_ELEMENTS && shortened === written) continue;
    const plain = copy.createElement('code');
    plain.textContent = shortened;
    const language = languageOf(code);
    if (language !== '') plain.className = `language-${language}`;
    code.replaceChildren(plain);
  }
}
