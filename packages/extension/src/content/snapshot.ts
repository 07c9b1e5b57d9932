/** Elements of which a reader sees nothing. */
const UNSEEN = new Set([
  'SCRIPT',
  'STYLE',
  'LINK',
  'TEMPLATE',
  'NOSCRIPT',
  'OBJECT',
  'EMBED',
  'CANVAS',
  'META',
  'BASE',
]);
const MATHML = 'http://www.w3.org/1998/Math/MathML';
/** Scripts that are data: facts of the page, and formulas. */
const DATA_SCRIPT = /^(application\/ld\+json|math\/)/;

/**
 * A copy of a page as its reader sees it: what shadow roots and frames of the same origin show stands in its place,
 * scripts are left out, and what is hidden is marked by an inline style. The page itself is not touched.
 */
export function snapshot(document: Document): Document {
  const copy = document.implementation.createHTMLDocument(document.title);
  copy.documentElement.lang = document.documentElement?.lang ?? '';
  for (const element of document.head?.querySelectorAll('meta, link[rel], script[type="application/ld+json"]') ?? []) {
    copy.head.append(copy.importNode(element, true));
  }
  for (const { name, value } of document.body?.attributes ?? []) setAttribute(copy.body, name, value);
  if (document.body !== null) copyChildren(document.body, copy.body, false);
  return copy;
}

/** A copy of one element in the same manner. */
export function snapshotOf(node: Node): HTMLElement {
  const copy = document.implementation.createHTMLDocument('');
  copyNode(node, copy.body, false);
  return copy.body;
}

function copyChildren(from: Node, to: Element, isHidden: boolean): void {
  for (const child of from.childNodes) copyNode(child, to, isHidden);
}

function copyNode(node: Node, to: Element, isHidden: boolean): void {
  if (node.nodeType === Node.TEXT_NODE) {
    to.append(node.textContent ?? '');
  } else if (node.nodeType === Node.ELEMENT_NODE) {
    copyElement(node as Element, to, isHidden);
  }
}

function copyElement(element: Element, to: Element, isInHidden: boolean): void {
  const name = element.nodeName.toUpperCase();
  if (UNSEEN.has(name) && !(name === 'SCRIPT' && DATA_SCRIPT.test(element.getAttribute('type') ?? ''))) return;
  const isHidden = isInHidden || isUnseen(element);
  const frame = name === 'IFRAME' || name === 'FRAME' ? bodyOfFrame(element) : null;
  const made = to.ownerDocument.importNode(element, false);
  // A frame cannot hold the text that it shows, and a frameset holds frames alone.
  const copy = frame !== null || name === 'FRAMESET' ? to.ownerDocument.createElement('div') : made;
  if (isHidden && !isInHidden) copy.setAttribute('style', 'display:none');
  to.append(copy);
  if (frame !== null) {
    copyChildren(frame, copy, isHidden);
    return;
  }
  const shadow = shadowOf(element);
  if (shadow !== null) copyChildren(shadow, copy, isHidden);
  else if (name === 'SLOT') copySlot(element as HTMLSlotElement, copy, isHidden);
  else copyChildren(element, copy, isHidden);
}

function copySlot(slot: HTMLSlotElement, to: Element, isHidden: boolean): void {
  const assigned = slot.assignedNodes({ flatten: true });
  for (const node of assigned.length > 0 ? assigned : slot.childNodes) copyNode(node, to, isHidden);
}

/** Closed roots too, where the browser lets extensions see them. */
function shadowOf(element: Element): ShadowRoot | null {
  if (element.shadowRoot !== null) return element.shadowRoot;
  const { dom } = (globalThis as { chrome?: { dom?: typeof chrome.dom } }).chrome ?? {};
  // Custom elements have a hyphen in their names; of the others few may have a root, and none hides an article in it.
  if (dom === undefined || !element.localName.includes('-') || !(element instanceof HTMLElement)) return null;
  return dom.openOrClosedShadowRoot(element);
}

/** What a frame of the same origin shows; null for any other. */
export function bodyOfFrame(element: Element): HTMLElement | null {
  try {
    return (element as HTMLIFrameElement).contentDocument?.body ?? null;
  } catch {
    return null;
  }
}

/**
 * Not `opacity: 0`: much of what fades in while one scrolls is text. Nor formulas: browsers hide their source, and pages
 * hide them where a picture stands for them.
 */
function isUnseen(element: Element): boolean {
  const view = element.ownerDocument.defaultView;
  if (view === null || element.namespaceURI === MATHML) return false;
  const { display, visibility } = view.getComputedStyle(element);
  if (display !== 'none' && visibility === 'visible') return false;
  if (visibility !== 'visible' && display !== 'none') return ![...element.children].some((child) => !isUnseen(child));
  return element.querySelector('math') === null;
}

function setAttribute(element: Element, name: string, value: string): void {
  try {
    element.setAttribute(name, value);
  } catch {
    // A parser takes names of attributes that no script may set.
  }
}
