import { parseUrl } from '@recollect/contract/text';
import { findPanels, reveal } from './find-panels.js';

/** Elements that a reader does not see. */
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
/** Scripts that contain data: page metadata and formulas. */
const DATA_SCRIPT = /^(application\/ld\+json|math\/)/;
const COMMENT = 8;
const HIDING = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;
/** Scripts reveal parts that are hidden at first. If they are more than this share of a page, they are its content. */
const MOSTLY_HIDDEN = 0.5;

/** Whether the type of an element in the body makes it invisible to readers. */
export function isUnseen(element: Element, name: string): boolean {
  if (!UNSEEN.has(name)) return false;
  return name !== 'SCRIPT' || !DATA_SCRIPT.test(element.getAttribute('type') ?? '');
}

/**
 * Removes everything that a reader of the parsed page would not see, as far as the markup tells. The extension copies
 * the same from a page in a browser, where style sheets and scripts also apply.
 */
export function cleanPage(page: Document): void {
  for (const element of page.head?.querySelectorAll('script:not([type="application/ld+json"]), style, noscript') ?? [])
    element.remove();
  const { body } = page;
  if (body === null) return;
  for (const element of body.querySelectorAll(':not(noscript)'))
    if (isUnseen(element, element.nodeName.toUpperCase())) element.remove();
  readWithoutScripts(body);
  // The field of a form may have the name of a property. The content of a form is text like any other.
  for (const form of body.querySelectorAll('form')) {
    const content = page.createElement('div');
    content.append(...form.childNodes);
    form.replaceWith(content);
  }
  removeComments(body);
  // Parsers split a text at each entity.
  body.normalize();
  hide(page, body);
}

/** The address that the links of a parsed page are relative to. */
export function baseOf(page: Document, url: string): string {
  const base = page.querySelector('base[href]')?.getAttribute('href') ?? '';
  return parseUrl(base, url)?.href ?? url;
}

function removeComments(node: Node): void {
  for (const child of [...node.childNodes]) {
    if (child.nodeType === COMMENT) child.remove();
    else removeComments(child);
  }
}

/** Shows the `noscript` content if that is most of the page, as in Discourse forums; otherwise removes it. */
function readWithoutScripts(body: HTMLElement): void {
  const parts = [...body.querySelectorAll('noscript')];
  if (parts.length === 0) return;
  const length = (element: Element) => element.textContent?.trim().length ?? 0;
  const all = parts.reduce((sum, part) => sum + length(part), 0);
  const isPage = all > MOSTLY_HIDDEN * length(body);
  for (const part of parts) {
    if (isPage) part.replaceWith(...part.childNodes);
    else part.remove();
  }
}

function isHidden(element: Element): boolean {
  if (element.hasAttribute('hidden') || element.hasAttribute('popover')) return true;
  const classes = (element.getAttribute('class') ?? '').split(/\s+/);
  // Some style sheets show such an element on large screens, by a class such as `md:block`.
  if (classes.includes('hidden') && !classes.some((name) => name.includes(':'))) return true;
  // Pages hide formulas behind pictures of them.
  return HIDING.test(element.getAttribute('style') ?? '') && element.querySelector('math') === null;
}

/** Marks elements that the markup hides, except elements that the reader can open. */
function hide(page: Document, body: HTMLElement): void {
  const panels = findPanels(page, isHidden);
  for (const panel of panels.keys()) if (isHidden(panel) || panel.getAttribute('aria-hidden') === 'true') reveal(panel);
  const hidden = [...body.querySelectorAll('[hidden], [popover], [style], .hidden')].filter(isHidden);
  const length = (element: Element) => element.textContent?.length ?? 0;
  const all = hidden.reduce((sum, element) => sum + length(element), 0);
  if (all > MOSTLY_HIDDEN * length(body)) return;
  for (const element of hidden) element.setAttribute('style', 'display:none');
}
