import { countWords } from '../words.js';
import { bodyOfFrame } from './snapshot.js';
import { toMarkdown } from './to-markdown.js';

/** What of a form is never read. */
const SECRET = new Set(['password', 'hidden']);

/** What the user has selected, as Markdown: in the page, in its shadow roots, in frames of its origin, or in a field. */
export function readSelection(document: Document): string | null {
  return (
    selectedIn(document) ??
    selectedInField(document.activeElement) ??
    selectedInShadow(document) ??
    selectedInFrames(document)
  );
}

/** Chromium gives shadow roots a selection of their own. */
type Selectable = { getSelection?: () => Selection | null };

function selectedIn(root: Selectable): string | null {
  const selection = root.getSelection?.() ?? null;
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const plain = selection.toString().trim();
  if (plain === '') return null;
  const range = selection.getRangeAt(0);
  const within = range.commonAncestorContainer;
  const element = isElement(within) ? within : within.parentElement;
  if (element?.closest('pre') != null) return plain.includes('\n') ? `\`\`\`\n${plain}\n\`\`\`` : plain;
  const holder = element?.ownerDocument.createElement('div');
  if (holder === undefined) return plain;
  for (let index = 0; index < selection.rangeCount; index++) holder.append(selection.getRangeAt(index).cloneContents());
  const text = toMarkdown(holder, element?.baseURI ?? '');
  // The copy also has what is hidden between the ends of a selection, and lacks what a shadow root shows there.
  const ratio = countWords(text) / Math.max(1, countWords(plain));
  return text === '' || ratio < 0.8 || (ratio > 1.5 && !text.includes('](')) ? plain : text;
}

function selectedInField(field: Element | null): string | null {
  if (field === null || !['TEXTAREA', 'INPUT'].includes(field.nodeName)) return null;
  const { type, value, selectionStart: start, selectionEnd: end } = field as HTMLInputElement;
  const text = SECRET.has(type) || start === null || end === null ? '' : value.slice(start, end).trim();
  return text === '' ? null : text;
}

/** Not by instanceof: the nodes of a frame are made by other constructors. */
function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}

function selectedInShadow(document: Document): string | null {
  for (let host = document.activeElement; host?.shadowRoot != null; host = host.shadowRoot.activeElement) {
    const text = selectedInField(host.shadowRoot.activeElement) ?? selectedIn(host.shadowRoot as Selectable);
    if (text !== null) return text;
  }
  for (const element of document.querySelectorAll('*')) {
    const text = element.shadowRoot === null ? null : selectedIn(element.shadowRoot as Selectable);
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
