import { countWords } from '@recollect/contract/text';
import { fenced, toMarkdown } from '@recollect/extraction/dom';
import { bodyOfFrame, snapshotOf } from './snapshot.js';

/** Types of form fields that are never read. */
const SECRET = new Set(['password', 'hidden']);
/** Elements that give their parts meaning, so a part is copied together with its element. */
const COPIED_WHOLE = 'table, ul, ol, dl, a';

/** The selection as Markdown: in the page, its shadow roots, its same-origin frames, or a field. */
export function readSelection(document: Document): string | null {
  return (
    selectedIn(document) ??
    selectedInField(document.activeElement) ??
    selectedInShadow(document) ??
    selectedInFrames(document)
  );
}

/** Chromium gives each shadow root its own selection. */
type Selectable = { getSelection?: () => Selection | null };

function selectedIn(root: Selectable): string | null {
  const selection = root.getSelection?.() ?? null;
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const plain = selection.toString().trim();
  if (plain === '') return null;
  const texts = Array.from({ length: selection.rangeCount }, (_, at) => rangeText(selection.getRangeAt(at), plain));
  const text = texts.filter((part) => part !== '').join('\n\n');
  // The copy lacks the text of a shadow root in the middle of a selection.
  return countWords(text) < 0.8 * countWords(plain) ? plain : text;
}

function rangeText(range: Range, plain: string): string {
  const { commonAncestorContainer: common } = range;
  const element = isElement(common) ? common : common.parentElement;
  if (element === null) return plain;
  if (closest(element, 'pre') !== null) return plain.includes('\n') ? fenced(plain) : plain;
  // The line breaks of code without a <pre> come only from the style sheet.
  const { whiteSpace } = element.ownerDocument.defaultView?.getComputedStyle(element) ?? {};
  if (/^(pre|break-spaces)/.test(whiteSpace ?? '')) return plain;
  const whole = closest(element, COPIED_WHOLE);
  const copy = snapshotOf(whole ?? common, range);
  // From an element that merely surrounds the selection, such as a quote, only the content is taken.
  const content = whole === null && isElement(common) ? (copy.firstElementChild ?? copy) : copy;
  return toMarkdown(content as HTMLElement, element.baseURI);
}

/** Avoids instanceof: the nodes of a frame have other constructors. */
function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}

function closest(element: Element, selector: string): Element | null {
  return Element.prototype.closest.call(element, selector);
}

function selectedInField(field: Element | null): string | null {
  if (field === null || !['TEXTAREA', 'INPUT'].includes(field.nodeName)) return null;
  const { type, value, selectionStart: start, selectionEnd: end } = field as HTMLInputElement;
  const text = SECRET.has(type) || start === null || end === null ? '' : value.slice(start, end).trim();
  return text === '' ? null : text;
}

function selectedInShadow(document: Document): string | null {
  for (let host = document.activeElement; host?.shadowRoot != null; host = host.shadowRoot.activeElement) {
    const text = selectedInField(host.shadowRoot.activeElement) ?? selectedIn(host.shadowRoot as Selectable);
    if (text !== null) return text;
  }
  for (const element of document.querySelectorAll('*')) {
    // On a form, `shadowRoot` may be a field of that name.
    const root = element.shadowRoot instanceof ShadowRoot ? element.shadowRoot : null;
    const text = root === null ? null : selectedIn(root as Selectable);
    if (text !== null) return text;
  }
  return null;
}

function selectedInFrames(document: Document): string | null {
  for (const frame of document.querySelectorAll('iframe, frame')) {
    const inner = bodyOfFrame(frame)?.ownerDocument;
    const text = inner === undefined ? null : readSelection(inner);
    if (text !== null) return text;
  }
  return null;
}
