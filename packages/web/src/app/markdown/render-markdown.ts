import { displayed, noteLinkAt, wholeBoundary } from '@recollect/contract/text';
import DOMPurify from 'dompurify';
import { Lexer, Marked, type Tokens } from 'marked';
import { memoryAddress } from '../state/query.js';
import { escapeHtml, keepHtml, keptAttributes, keptElements } from './keep-html.js';
import { splitMarkdown } from './split-markdown.js';

/** Formulas are short, so that the search for their end takes linear time. */
const FORMULA =
  /^(?:\$\$([\s\S]{1,2000}?)\$\$|\$(?!\s)((?:\\.|[^$\\\n]){1,1000}?)(?<!\s)\$(?!\d)|\\\((.{1,1000}?)\\\)|\\\[([\s\S]{1,2000}?)\\\])/;
/** The definition of a link, which another part of the text refers to. */
const DEFINITION = /^ {0,3}\[([^\]\n]{1,300})\]:[ \t]*<?([^\s>]{1,2000})>?(?:[ \t].*)?$/gm;
const ALLOWED_ATTR = [...keptAttributes, 'class', 'type', 'checked', 'title'];
/** Characters in which the next formula is looked for. */
const FORMULA_LOOKAHEAD = 1_000;

/** The classes of elements: the language of a program, and formulas. Others are the app's own. */
const CLASSES = /^(?:language-[\w+#.-]{1,30}|formula)$/;

/** Formulas stay text: Markdown would take their underscores and asterisks for emphasis. */
const formula = {
  name: 'formula',
  level: 'inline' as const,
  start(source: string) {
    const at = source.slice(0, FORMULA_LOOKAHEAD).search(/\$|\\[([]/);
    // Without a limit, each of many short parts would search the whole rest.
    return at < 0 && source.length > FORMULA_LOOKAHEAD ? FORMULA_LOOKAHEAD : at;
  },
  tokenizer(source: string) {
    const [raw] = FORMULA.exec(source) ?? [];
    return raw === undefined ? undefined : { type: 'formula', raw };
  },
  renderer: ({ raw }: Tokens.Generic) => `<code class="formula">${escapeHtml(raw)}</code>`,
};

/** The ids of the memories that links mean, by their targets: names of notes, or addresses of saved pages. */
export type LinkedNotes = ReadonlyMap<string, string>;

/** Links between notes, `[[Tea]]`. Links to notes that are not saved are plain text. */
const noteLink = (notes: LinkedNotes) => ({
  name: 'noteLink',
  level: 'inline' as const,
  start(source: string) {
    const at = source.slice(0, FORMULA_LOOKAHEAD).search(/!?\[\[/);
    return at < 0 && source.length > FORMULA_LOOKAHEAD ? FORMULA_LOOKAHEAD : at;
  },
  tokenizer(source: string) {
    const link = noteLinkAt(source);
    if (link === null) return undefined;
    const { target, label, length } = link;
    return { type: 'noteLink', raw: source.slice(0, length), target, label };
  },
  renderer({ target, label }: Tokens.Generic) {
    const id = notes.get(target);
    return id === undefined
      ? escapeHtml(label)
      : `<a href="${escapeHtml(memoryAddress(id, ''))}">${escapeHtml(label)}</a>`;
  },
});

const createMarkdown = (notes: LinkedNotes) =>
  new Marked({
    gfm: true,
    extensions: notes.size === 0 ? [formula] : [formula, noteLink(notes)],
    renderer: {
      heading({ tokens, depth }) {
        // The title of the memory is the only heading of level 1.
        const level = Math.min(6, depth + 1);
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
      },
      link({ href, text }) {
        // The address of a saved page in a note leads to the memory.
        const id = text === href ? notes.get(text) : undefined;
        if (id === undefined) return false;
        return `<a href="${escapeHtml(memoryAddress(id, ''))}" title="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
      },
      html: ({ raw }) => keepHtml(raw),
      image: ({ href, text, title }) =>
        `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}"${title === null ? '' : ` title="${escapeHtml(title)}"`}>`,
    },
  });

const NO_NOTES: LinkedNotes = new Map();
const plainMarkdown = createMarkdown(NO_NOTES);

/** The remaining budget of the texts that are shown together. */
export interface RenderBudget {
  /** Milliseconds. */
  time: number;
  elements: number;
}

/**
 * Enough for a book. A hostile text of 100 KB can have millions of elements: in a table, each line may be a row of
 * empty cells.
 */
export function createRenderBudget(): RenderBudget {
  return { time: 10_000, elements: 50_000 };
}

/** A code block also has its buttons. */
const ELEMENTS_OF_CODE = 20;
/** Characters of the elements in which a text is shown that is not rendered. */
const PLAIN_PART = 20_000;

export interface RenderOptions {
  /** The notes that the text links to. Without it, links between notes are shown as plain text. */
  notes?: LinkedNotes;
  /** Whether remote images are loaded. Otherwise each is replaced by its alternative text. */
  showsImages: boolean;
  /** Whether a line ends where it ends in the text, as in one that is not Markdown. It does by default. */
  keepsLines?: boolean;
  /** Shared by texts that are shown together. By default, a text has one for itself. */
  budget?: RenderBudget;
}

/**
 * Renders stored Markdown, which is hostile, as sanitised elements: without scripts, styles, forms and frames, with
 * links to web pages only. Yields a fragment for each part of the text, so that a long one does not block the page.
 * Once the budget is used up, the rest of the text is shown as it was written, below a sentence that says so.
 */
export function* renderMarkdown(
  text: string,
  { showsImages, keepsLines = true, budget = createRenderBudget(), notes = NO_NOTES }: RenderOptions,
): Generator<DocumentFragment> {
  const markdown = notes.size === 0 ? plainMarkdown : createMarkdown(notes);
  const shown = displayed(text);
  const links = linksOf(shown);
  for (const { text: piece, start, isPlain } of splitMarkdown(shown)) {
    if (isUsedUp(budget)) return yield* unrendered(shown.slice(start));
    const began = performance.now();
    const html = isPlain ? null : toHtml(markdown, piece, links, keepsLines);
    budget.elements -= html === null ? 1 : countElements(html);
    // Rendered by half, a text would repeat itself.
    if (budget.elements < 0) return yield* unrendered(shown.slice(start));
    const fragment = html === null ? toPlain(piece) : sanitise(html, showsImages);
    budget.time -= performance.now() - began;
    yield fragment;
  }
}

function isUsedUp({ time, elements }: RenderBudget): boolean {
  return time < 0 || elements < 0;
}

function countElements(html: string): number {
  const [tags, blocks] = [/<[a-z]/gi, /<pre/gi].map((pattern) => html.match(pattern)?.length ?? 0);
  return (tags ?? 0) + (blocks ?? 0) * ELEMENTS_OF_CODE;
}

function* unrendered(text: string): Generator<DocumentFragment> {
  const note = toPlain('From here on, this text is shown without formatting, because formatting it takes too long.');
  (note.firstElementChild as HTMLElement).className = 'unformatted';
  yield note;
  for (let start = 0; start < text.length; ) {
    const line = text.lastIndexOf('\n', start + PLAIN_PART);
    const end = line > start ? line + 1 : wholeBoundary(text, start + PLAIN_PART);
    yield toPlain(text.slice(start, end));
    start = end;
  }
}

type Links = Lexer['tokens']['links'];

/** The definitions of links in the whole text, by their lower-case names. */
function linksOf(text: string): Links {
  const links: Links = Object.create(null);
  for (const [, name = '', href = ''] of text.matchAll(DEFINITION))
    links[name.toLowerCase().replace(/\s+/g, ' ')] ??= { href, title: null };
  return links;
}

/** Null if the text nests so deep that it cannot be parsed. */
function toHtml(markdown: Marked, text: string, links: Links, keepsLines: boolean): string | null {
  try {
    const lexer = new Lexer({ ...markdown.defaults, breaks: keepsLines });
    Object.assign(lexer.tokens.links, links);
    return markdown.parser(lexer.lex(text));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function toPlain(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const block = document.createElement('p');
  block.className = 'plain';
  block.dir = 'auto';
  block.textContent = text;
  fragment.append(block);
  return fragment;
}

function sanitise(html: string, showsImages: boolean): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...keptElements, 'input'],
    ALLOWED_ATTR,
    // Every attribute that is not known as harmless must look like an allowed address.
    ADD_URI_SAFE_ATTR: ALLOWED_ATTR.filter((name) => name !== 'href' && name !== 'src'),
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    // Generated notes link to memories of this store.
    ALLOWED_URI_REGEXP: /^(?:https?:|\/memory\/[0-9a-f-]{36}$)/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const element of fragment.querySelectorAll<HTMLElement>('*')) {
    if (!CLASSES.test(element.className)) element.removeAttribute('class');
    prepare(element, showsImages);
  }
  return fragment;
}

function prepare(element: HTMLElement, showsImages: boolean): void {
  if (element instanceof HTMLAnchorElement) prepareLink(element);
  else if (element instanceof HTMLImageElement) {
    if (showsImages) element.referrerPolicy = 'no-referrer';
    else element.replaceWith(standIn(element));
  } else if (element instanceof HTMLInputElement) {
    // The boxes of a task list.
    if (element.type === 'checkbox') prepareTask(element);
    else element.remove();
  } else if (element.tagName === 'PRE') {
    element.tabIndex = 0;
    wrap(element, 'code').dir = 'ltr';
  } else if (element.tagName === 'TABLE') {
    const box = wrap(element, 'table');
    box.tabIndex = 0;
    box.role = 'region';
    box.ariaLabel = 'Table';
  } else if (DIRECTED.test(element.tagName)) element.dir = 'auto';
}

const DIRECTED = /^(?:P|LI|UL|OL|DL|DT|DD|H[2-6]|TD|TH|BLOCKQUOTE|DETAILS|SUMMARY|FIGCAPTION)$/;

/** Wide programs and tables scroll on their own, also by keyboard. */
function wrap(element: HTMLElement, name: string): HTMLElement {
  const box = document.createElement('div');
  box.className = name;
  element.replaceWith(box);
  box.append(element);
  return box;
}

/** A box is labelled by the text of its task. */
function prepareTask(box: HTMLInputElement): void {
  const item = box.closest('li')?.cloneNode(true) as HTMLElement | undefined;
  for (const list of item?.querySelectorAll('ul, ol') ?? []) list.remove();
  box.ariaLabel = item?.textContent.trim().slice(0, 200) || 'Task';
  box.disabled = true;
  // A press near the box also counts.
  const label = document.createElement('label');
  label.className = 'task';
  box.replaceWith(label);
  label.append(box);
}

function prepareLink(link: HTMLAnchorElement): void {
  const address = link.getAttribute('href');
  // The app opens memories itself.
  if (address === null || address.startsWith(memoryAddress('', ''))) return;
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow';
  // The text of a link can pretend to be another address, and its letters another host.
  link.title = link.href;
}

function standIn(image: HTMLImageElement): HTMLElement {
  const text = document.createElement('span');
  text.className = 'image';
  // Captions are titles. They say more than the alternative text, and are shown to everybody.
  const description = image.title === '' ? image.alt : image.title;
  text.textContent = description === '' ? 'Image' : `Image: ${description}`;
  return text;
}
