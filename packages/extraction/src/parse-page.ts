import { parseHTML } from 'linkedom';

/** In HTML, these marks of XML are a comment. The parser takes everything between them for text. */
const CDATA = /<!\[CDATA\[|\]\]>/g;
/** Elements that the head of a page may contain. Any other element begins its body. */
const IN_HEAD = new Set(['BASE', 'LINK', 'META', 'NOSCRIPT', 'SCRIPT', 'STYLE', 'TEMPLATE', 'TITLE']);
const TEXT = 3;
const ELEMENT = 1;

/**
 * Parses a page or a part of one. The tags of `html`, `head` and `body` may be missing, as the HTML standard allows and
 * as tools that shorten pages leave them out: linkedom does not add them, and would find no text and no title.
 */
export function parsePage(html: string): Document {
  const source = html.includes('<![CDATA[') ? html.replace(CDATA, '') : html;
  const { document } = parseHTML(source);
  const page = isHtml(document.documentElement) ? document : parseHTML(`<html>${source}</html>`).document;
  addHeadAndBody(page);
  return page;
}

/**
 * Divides the children of a page's root between its head and its body, as a browser would.
 * Most pages are divided already.
 */
function addHeadAndBody(page: Document): void {
  const root = page.documentElement;
  // Of a second such tag, only the attributes that the first one lacks count, such as the language.
  for (const inner of root.querySelectorAll('html')) {
    for (const { name, value } of inner.attributes) if (!root.hasAttribute(name)) root.setAttribute(name, value);
    unwrap(inner);
  }
  const [head = page.createElement('head'), ...heads] = childrenOf(root, 'HEAD');
  const [body = page.createElement('body'), ...bodies] = childrenOf(root, 'BODY');
  for (const second of [...heads, ...bodies]) unwrap(second);
  const start = body.firstChild;
  let place: 'head' | 'start' | 'end' = 'head';
  for (const child of [...root.childNodes]) {
    if (child === body) place = 'end';
    else {
      for (const node of child === head ? [...head.childNodes] : [child]) {
        if (place === 'head' && !belongsInHead(node)) place = 'start';
        if (place === 'end') body.append(node);
        else if (place === 'start') body.insertBefore(node, start);
        else if (node.parentNode !== head) head.append(node);
      }
    }
  }
  if (head.parentNode !== root) root.prepend(head);
  if (body.parentNode !== root) root.append(body);
}

function unwrap(element: Element): void {
  for (const child of [...element.childNodes]) element.before(child);
  element.remove();
}

function childrenOf(root: Element, name: string): HTMLElement[] {
  return [...root.children].filter((child) => child.nodeName === name) as HTMLElement[];
}

function belongsInHead(node: ChildNode): boolean {
  if (node.nodeType === TEXT) return (node.nodeValue ?? '').trim() === '';
  return node.nodeType !== ELEMENT || IN_HEAD.has(node.nodeName.toUpperCase());
}

function isHtml(element: Element | null): boolean {
  return element?.nodeName.toUpperCase() === 'HTML';
}
