import { codeOf, languageOf } from './code-blocks.js';

/** Part of the text, although Defuddle removes every `aside`: footnotes and boxes of docutils, which Sphinx uses. */
const TEXT_ASIDES =
  'aside.footnote-list, aside.footnote, aside.topic:not(.contents), aside.admonition, aside[role="note"]';
/** Names of classes that tell marks beside headings, and footnotes, from references. */
const NO_REFERENCE = /anchor|permalink|headerlink|foot|fn-?ref|note-?ref|back-?ref|cite/i;
/** The link beside the headline of a document that docutils or Sphinx made. Its sections have their headlines as ids. */
const MADE_BY_DOCUTILS = 'section[id] > h1 > a.headerlink, div.section[id] > h1 > a.headerlink';
/** Elements in a code block that take Defuddle more than a second. */
const MAX_CODE_ELEMENTS = 1_000;

/** Changes what Defuddle would remove, or read too slowly, although it is text. */
export function protect(copy: Document): void {
  // Defuddle removes sections with ids such as "registering-as-a-member". It spares what has this mark of its own.
  for (const link of copy.querySelectorAll(MADE_BY_DOCUTILS)) link.closest('[id]')?.setAttribute('data-defuddle', '');
  // Defuddle takes "ref" in a class for a footnote's number, as in "reference" or "xref", and removes the words. In Markdown, links
  // within the page are text anyway.
  for (const link of copy.querySelectorAll('a[href^="#"][class*="ref" i]')) {
    const isReference = !NO_REFERENCE.test(link.className) && /\p{L}/u.test(link.textContent ?? '');
    if (isReference) link.replaceWith(...link.childNodes);
  }
  for (const aside of copy.querySelectorAll(TEXT_ASIDES)) {
    const block = copy.createElement('div');
    block.append(...aside.childNodes);
    aside.replaceWith(block);
  }
  for (const code of copy.querySelectorAll('pre')) {
    if (code.querySelectorAll('*').length <= MAX_CODE_ELEMENTS) continue;
    const plain = copy.createElement('code');
    plain.textContent = codeOf(code);
    const language = languageOf(code);
    if (language !== '') plain.className = `language-${language}`;
    code.replaceChildren(plain);
  }
}
