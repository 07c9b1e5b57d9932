import { indexText, type TextIndex } from '@recollect/ui/text-index';

/** Elements whose text is apart from the text around them. */
const BLOCKS = [
  'address, article, aside, blockquote, body, caption, dd, details, dialog, div, dl, dt, fieldset, figcaption, figure',
  'footer, form, h1, h2, h3, h4, h5, h6, header, hgroup, li, main, nav, ol, p, pre, search, section, summary, table',
  'tbody, td, tfoot, th, thead, tr, ul',
].join(', ');

/** Elements whose text is not text of the page. */
const NOT_TEXT = 'script, style, noscript, template, textarea, select, title, desc';

/** The text of the page, with all that it hides, such as closed details. */
export function indexPage(): TextIndex {
  return index(() => false);
}

/** The text of the page that is visible, since a page may have a hidden copy of a passage. */
export function indexVisiblePage(): TextIndex {
  const isVisible = new WeakMap<Element, boolean>();
  return index((element) => {
    const known = isVisible.get(element) ?? element.checkVisibility({ visibilityProperty: true });
    isVisible.set(element, known);
    return !known;
  });
}

function index(isHidden: (parent: Element) => boolean): TextIndex {
  return indexText(document.body, {
    blocks: BLOCKS,
    isSkipped: (parent) => parent.closest(NOT_TEXT) !== null || isHidden(parent),
  });
}
