import DOMPurify from 'dompurify';
import { Marked, Renderer, type Token, type Tokens } from 'marked';

/** Blocks that are rendered in one go, so that a long text does not block the page. */
const BATCH = 60;
/** Elements of HTML within Markdown that are kept. All other HTML is shown as it was written. */
const KEPT_HTML = /^<\/?(?:sub|sup|kbd|br)\s*\/?>$/i;
const FORMULA = /^(?:\$\$([\s\S]+?)\$\$|\$(?!\s)((?:\\.|[^$\\\n])+?)(?<!\s)\$(?!\d)|\\\((.+?)\\\)|\\\[([\s\S]+?)\\\])/;

const TAGS = [
  ...['a', 'b', 'blockquote', 'br', 'caption', 'code', 'del', 'div', 'em', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i'],
  ...['input', 'kbd', 'li', 'ol', 'p', 'pre', 'span', 'strong', 'sub', 'sup', 'table', 'tbody', 'td', 'th', 'thead'],
  ...['tr', 'ul', 'img'],
];

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Formulas stay text: Markdown would take their underscores and asterisks for emphasis. */
const formula = {
  name: 'formula',
  level: 'inline' as const,
  start: (source: string) => source.search(/\$|\\[([]/),
  tokenizer(source: string) {
    const [raw] = FORMULA.exec(source) ?? [];
    return raw === undefined ? undefined : { type: 'formula', raw };
  },
  renderer: ({ raw }: Tokens.Generic) => `<code class="formula">${escapeHtml(raw)}</code>`,
};

const markdown = new Marked({
  gfm: true,
  // A text that is not Markdown keeps its lines.
  breaks: true,
  extensions: [formula],
  renderer: {
    heading({ tokens, depth }) {
      // The title of the memory is the only heading of level 1.
      const level = Math.min(6, depth + 1);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    html: ({ raw }) => (KEPT_HTML.test(raw.trim()) ? raw : escapeHtml(raw)),
    image: ({ href, text }) => `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}">`,
    table(token): string {
      const html = Renderer.prototype.table.call(this, token);
      // Wide tables scroll on their own, also by keyboard.
      return `<div class="table" tabindex="0" role="region" aria-label="Table">${html}</div>`;
    },
  },
});

export interface RenderOptions {
  /** Whether remote images are loaded. Otherwise their text stands in their place. */
  showsImages: boolean;
}

/**
 * Renders stored Markdown, which is hostile, as sanitised elements: without scripts, styles, forms and frames, with links to web
 * pages only. Yields a fragment per batch of blocks.
 */
export function* renderMarkdown(text: string, { showsImages }: RenderOptions): Generator<DocumentFragment> {
  const tokens = markdown.lexer(text);
  const { links } = tokens;
  for (let at = 0; at < tokens.length; at += BATCH) {
    const batch: Token[] = tokens.slice(at, at + BATCH);
    yield sanitise(markdown.parser(Object.assign(batch, { links })), showsImages);
  }
}

function sanitise(html: string, showsImages: boolean): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: [
      'href',
      'src',
      'alt',
      'class',
      'start',
      'align',
      'type',
      'checked',
      'disabled',
      'tabindex',
      'role',
      'aria-label',
    ],
    ALLOWED_URI_REGEXP: /^https?:/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const element of fragment.querySelectorAll<HTMLElement>('*')) prepare(element, showsImages);
  return fragment;
}

function prepare(element: HTMLElement, showsImages: boolean): void {
  if (element instanceof HTMLAnchorElement) prepareLink(element);
  else if (element instanceof HTMLImageElement) {
    if (showsImages) element.referrerPolicy = 'no-referrer';
    else element.replaceWith(standIn(element));
  } else if (element instanceof HTMLInputElement) {
    // The boxes of a task list.
    if (element.type !== 'checkbox') element.remove();
    else element.setAttribute('aria-label', element.checked ? 'Done' : 'Not done');
  } else if (/^(?:P|LI|H[2-6]|TD|TH|BLOCKQUOTE)$/.test(element.tagName)) element.dir = 'auto';
  else if (element.tagName === 'PRE') {
    element.dir = 'ltr';
    // It may scroll, also by keyboard.
    element.tabIndex = 0;
  }
}

function prepareLink(link: HTMLAnchorElement): void {
  if (!link.hasAttribute('href')) return;
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow';
  // The text of a link can pretend to be another address, and its letters another host.
  link.title = link.href;
}

function standIn(image: HTMLImageElement): HTMLElement {
  const text = document.createElement('span');
  text.className = 'image';
  text.textContent = image.alt === '' ? 'Image' : `Image: ${image.alt}`;
  return text;
}
