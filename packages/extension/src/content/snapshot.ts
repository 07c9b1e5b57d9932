import { findPanels, isUnseen, type Panels, reveal } from '@recollect/extraction/dom';
import { BAR_ELEMENT } from '../page/messages.js';

const MATHML = 'http://www.w3.org/1998/Math/MathML';

/** Reads the prototype's property, because a form field named `childNodes` hides it on the form. */
const childNodesOf = getterOf<Iterable<Node>>(Node.prototype, 'childNodes');
const nodeNameOf = getterOf<string>(Node.prototype, 'nodeName');

/**
 * Copies a page as its reader sees it: the content of shadow roots and same-origin frames is in place, scripts are left
 * out, and an inline style marks hidden elements, except parts that the reader can open.
 * The page itself is not changed.
 */
export function snapshot(document: Document): Document {
  const copy = document.implementation.createHTMLDocument(document.title);
  copy.documentElement.lang = document.documentElement?.lang ?? '';
  for (const element of document.head?.querySelectorAll('meta, link[rel], script[type="application/ld+json"]') ?? []) {
    copy.head.append(copy.importNode(element, true));
  }
  for (const { name, value } of document.body?.attributes ?? []) setAttribute(copy.body, name, value);
  if (document.body !== null)
    copyChildren(document.body, copy.body, { isHidden: false, panels: findPanels(document, isInvisible) });
  return copy;
}

/** Copies one node in the same way. With a range, copies only the nodes inside it. */
export function snapshotOf(node: Node, range?: Range): HTMLElement {
  const copy = document.implementation.createHTMLDocument('');
  copyNode(node, copy.body, { isHidden: false, range });
  return copy.body;
}

interface Within {
  isHidden: boolean;
  /** The part of the tree to copy; all of it by default. */
  range?: Range | undefined;
  /** Elements that the reader can open, which belong to the text even while closed; none by default. */
  panels?: Panels | undefined;
  /** The content of a closed panel inherits its visibility. */
  isPanel?: boolean | undefined;
}

function copyChildren(from: Node, to: Element, within: Within): void {
  for (const child of childNodesOf(from)) copyNode(child, to, within);
}

function copyNode(node: Node, to: Element, within: Within): void {
  if (within.range !== undefined && !within.range.intersectsNode(node)) return;
  if (node.nodeType === Node.TEXT_NODE) to.append(textWithin(node as Text, within.range));
  else if (node.nodeType === Node.ELEMENT_NODE) copyElement(node as Element, to, within);
}

function textWithin(node: Text, range: Range | undefined): string {
  const start = node === range?.startContainer ? range.startOffset : 0;
  const end = node === range?.endContainer ? range.endOffset : undefined;
  return node.data.slice(start, end);
}

function copyElement(element: Element, to: Element, given: Within): void {
  const { isHidden: isParentHidden, range, panels } = given;
  const name = nodeNameOf(element).toUpperCase();
  // Any property of a form may be one of its fields. Only the form's content matters.
  const isForm = name === 'FORM';
  if (isUnseen(element, name) || element.localName === BAR_ELEMENT) return;
  const isPanel = panels?.has(element) === true;
  const isHidden = isParentHidden || (!isPanel && isInvisible(element, given.isPanel));
  const frame = name === 'IFRAME' || name === 'FRAME' ? bodyOfFrame(element) : null;
  // A frame element cannot contain the text that it shows, and a frameset contains only frames.
  const isReplaced = isForm || frame !== null || name === 'FRAMESET';
  const copy = isReplaced ? to.ownerDocument.createElement('div') : to.ownerDocument.importNode(element, false);
  if (isPanel) reveal(copy);
  if (isHidden && !isParentHidden) copy.setAttribute('style', 'display:none');
  if (!isHidden && isApart(element, name)) to.append(' ', copy, ' ');
  else to.append(copy);
  const within = { isHidden, range, panels, isPanel: isPanel || given.isPanel };
  if (range !== undefined && name === 'OL') copy.setAttribute('start', String(firstWithin(element, range)));
  if (frame !== null) {
    copyChildren(frame, copy, { isHidden });
    return;
  }
  const shadow = isForm ? null : shadowOf(element);
  if (shadow !== null) copyChildren(shadow, copy, { isHidden });
  else if (name === 'SLOT') copySlot(element as HTMLSlotElement, copy, within);
  else copyChildren(element, copy, within);
}

/** Elements of a line of text, unless a style sheet sets them apart. */
const INLINE = new Set(['A', 'ABBR', 'B', 'BDI', 'CITE', 'EM', 'I', 'LABEL', 'SMALL', 'SPAN', 'STRONG', 'TIME']);

/**
 * Whether the layout alone separates an element from the words beside it, as in a row of facts. An initial that floats
 * is part of its word, and so is an overlay.
 */
function isApart(element: Element, name: string): boolean {
  const view = INLINE.has(name) ? viewOf(element) : null;
  if (view === null) return false;
  const { display, float, position } = view.getComputedStyle(element);
  if (!/^(?:block|flex|grid|list-item|table-cell)$/.test(display) || float !== 'none') return false;
  if (position !== 'static' && position !== 'relative') return false;
  return Element.prototype.closest.call(element, 'pre, code') === null;
}

/** The number of the first item of a list that lies within a range. */
function firstWithin(list: Element, range: Range): number {
  const items = [...list.children].filter(({ nodeName }) => nodeName === 'LI');
  const start = Number(list.getAttribute('start') ?? 1);
  return (
    start +
    Math.max(
      0,
      items.findIndex((item) => range.intersectsNode(item)),
    )
  );
}

function copySlot(slot: HTMLSlotElement, to: Element, within: Within): void {
  const assigned = slot.assignedNodes({ flatten: true });
  for (const node of assigned.length > 0 ? assigned : slot.childNodes) copyNode(node, to, within);
}

/** Includes closed shadow roots, where the browser lets extensions see them. */
function shadowOf(element: Element): ShadowRoot | null {
  if (element.shadowRoot !== null) return element.shadowRoot;
  const { dom } = (globalThis as { chrome?: { dom?: typeof chrome.dom } }).chrome ?? {};
  // Names of custom elements contain a hyphen. Few other elements can have a shadow root, and none hides an article.
  if (dom === undefined || !element.localName.includes('-') || !(element instanceof HTMLElement)) return null;
  return dom.openOrClosedShadowRoot(element);
}

/** The body of a same-origin frame; null for any other frame. */
export function bodyOfFrame(element: Element): HTMLElement | null {
  try {
    return (element as HTMLIFrameElement).contentDocument?.body ?? null;
  } catch {
    return null;
  }
}

/**
 * Ignores `opacity: 0`, because much text fades in on scroll. Also ignores formulas: browsers hide their source, and
 * pages hide them where a picture shows them.
 */
function isInvisible(element: Element, inheritsVisibility = false): boolean {
  const view = viewOf(element);
  if (view === null || namespaceOf(element) === MATHML) return false;
  const { display, visibility } = view.getComputedStyle(element);
  if (display !== 'none' && (visibility === 'visible' || inheritsVisibility)) return false;
  if (display === 'none') return Element.prototype.querySelector.call(element, 'math') === null;
  const children = [...childNodesOf(element)].filter(({ nodeType }) => nodeType === Node.ELEMENT_NODE);
  return !children.some((child) => !isInvisible(child as Element));
}

const ownerOf = getterOf<Document>(Node.prototype, 'ownerDocument');
const namespaceOf = getterOf<string | null>(Element.prototype, 'namespaceURI');

function viewOf(element: Element): Window | null {
  return ownerOf(element).defaultView;
}

/** Reads a prototype's property from a node, even if the node has its own property of that name. */
function getterOf<T>(prototype: object, name: string): (node: Node) => T {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (get === undefined) throw new Error(`${name} is not a property of nodes.`);
  return (node) => get.call(node) as T;
}

function setAttribute(element: Element, name: string, value: string): void {
  try {
    element.setAttribute(name, value);
  } catch {
    // The HTML parser accepts attribute names that scripts cannot set.
  }
}
