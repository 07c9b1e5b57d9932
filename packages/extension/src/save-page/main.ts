import type { Capture } from '@recollect/contract';
import { createClient, ProblemError } from '@recollect/contract/client';
import { countWords, parseUrl, readTags } from '@recollect/contract/text';
import { baseOf, cleanPage, findArticle, toMarkdown } from '@recollect/extraction/dom';
import { readFacts } from '../content/read-facts.js';

/** Content that another app shares with the installed web app (Web Share Target). */
interface Shared {
  title: string;
  /** Null for a text without an address, which becomes a note. */
  url: string | null;
  /** The text to save. A bare link is saved under its title, since the server fetches nothing (SEC-12). */
  text: string;
}

const ADDRESS = /https?:\/\/[^\s<>"]+/i;

/**
 * Reads the shared content from the query of the page. Android puts the address into the text; other systems into
 * `url`. Null if nothing was shared.
 *
 * @example
 * readShared('?title=Tea&text=See%20https://a.example/tea');
 * // { title: 'Tea', url: 'https://a.example/tea', text: 'See' }
 */
export function readShared(search: string): Shared | null {
  const given = new URLSearchParams(search);
  const field = (name: string) => given.get(name)?.trim() ?? '';
  const [title, text] = [field('title'), field('text')];
  const address = [field('url'), text].map((part) => ADDRESS.exec(part)?.[0] ?? '').find((part) => part !== '');
  const url = address !== undefined && parseUrl(address) !== null ? address : null;
  const words = (url === null ? text : text.replace(url, '')).trim();
  const content = words || title || url || '';
  return content === '' ? null : { title, url, text: content };
}

/** Milliseconds. */
const STABLE_AFTER = 800;

/**
 * Reports true once the window has been visible and focused for a while, and false when it is not. A page that opens
 * this window under the pointer, or uncovers it, must not get the click.
 */
function watchStability(tell: (isStable: boolean) => void): void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    clearTimeout(timer);
    tell(false);
    if (document.visibilityState === 'visible' && document.hasFocus())
      timer = setTimeout(() => tell(true), STABLE_AFTER);
  };
  for (const event of ['focus', 'blur', 'resize'] as const) window.addEventListener(event, wait);
  document.addEventListener('visibilitychange', wait);
  wait();
}

/** The content from the bookmarklet, or from another app, that can be saved. */
interface Content extends Pick<Capture, 'selection' | 'pageText' | 'metadata'> {
  title: string;
  /** Null for a text that was shared without an address. */
  url: string | null;
  text: string;
  isCut: boolean;
  via: 'bookmarklet' | 'share';
}

/** The share of the words of a selection that its elements must have, which may lack some that only the page shows. */
const WHOLE = 0.8;

/** The last request body and its Idempotency-Key. The same body again is the same request. */
const sent = { text: '', key: '' };

const { hash, search } = location;
// The content must not stay in the history or survive a reload.
history.replaceState(null, '', location.pathname);
const content = read(hash) ?? share(search);
if (content !== null) showCapture(content);
else {
  showBookmarklet();
  if (hash.length > 1)
    showStatus('The bookmark sent nothing that can be saved: the page has no text or is not a web page.');
}

/** Reads the content from the fragment; null when there is nothing to save. */
function read(fragment: string): Content | null {
  try {
    const given: unknown = JSON.parse(decodeURIComponent(fragment.slice(1)));
    const { title, url, selection, html, pageText, isCut } = given as Record<keyof BookmarkletPayload, unknown>;
    const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
    if (!/^https?:$/.test(new URL(text(url)).protocol)) return null;
    const common = { title: text(title), url: text(url), isCut: isCut === true, via: 'bookmarklet' as const };
    if (text(selection) !== '') {
      const marked = readSelected(text(selection), text(html), common.url);
      return { ...common, selection: marked, text: marked };
    }
    if (text(html) === '')
      return text(pageText) === '' ? null : { ...common, pageText: text(pageText), text: text(pageText) };
    return { ...common, ...readArticle(text(html), common.url) };
  } catch {
    return null;
  }
}

/** Content that another app shared with the installed web app; null if there is none. */
function share(query: string): Content | null {
  const shared = readShared(query);
  return shared === null ? null : { ...shared, pageText: shared.text, isCut: false, via: 'share' };
}

/** The selection as Markdown. DOMParser loads and runs nothing of the page. */
function readSelected(selection: string, html: string, url: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const base = baseOf(parsed, url);
  cleanPage(parsed);
  const marked = toMarkdown(parsed.body, base);
  return countWords(marked) < WHOLE * countWords(selection) ? selection : marked;
}

/** The article as the extension would find it. DOMParser loads and runs nothing of the page. */
function readArticle(html: string, url: string): Pick<Content, 'text' | 'pageText' | 'metadata'> & { title?: string } {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const base = baseOf(parsed, url);
  cleanPage(parsed);
  const article = findArticle(parsed, { url, base });
  if (article === null) throw new Error('There is no text.');
  const { text, title, extractor } = article;
  return {
    text,
    pageText: text,
    ...(title === '' ? {} : { title }),
    metadata: { ...readFacts(parsed, article), extractor },
  };
}

function showBookmarklet(): void {
  const address = bookmarklet(location.origin);
  element('bookmarklet').setAttribute('href', address);
  element('bookmarklet').addEventListener('click', (event) => {
    event.preventDefault();
    showStatus('Drag it to the bookmarks bar. There it saves the page that is shown.');
  });
  (element('source') as HTMLTextAreaElement).value = address;
  element('install').hidden = false;
}

function showCapture(shown: Content): void {
  const host = shown.url === null ? 'note' : new URL(shown.url).host;
  element('title').textContent = shown.title || host;
  element('facts').textContent = [
    host,
    shown.via === 'share' ? 'shared' : shown.selection === undefined ? 'page' : 'selection',
    `${countWords(shown.text).toLocaleString('en')} words`,
    ...(shown.isCut ? ['beginning only: the page is too long for a bookmark'] : []),
  ].join(' · ');
  element('lines').textContent = shown.text.slice(0, 1_000);
  const form = element('capture') as HTMLFormElement;
  const button = element('save') as HTMLButtonElement;
  let isDone = false;
  form.hidden = false;
  watchStability((isStable) => {
    button.disabled = !isStable || isDone;
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    showStatus('Saving …');
    void save(shown).then((isSaved) => {
      isDone = isSaved;
      button.disabled = isDone;
    });
  });
}

/** Saves the capture. Returns whether it was saved. */
async function save({ title, url, selection, pageText, metadata, via }: Content): Promise<boolean> {
  const apiKey = typedIn('key-field');
  const tags = readTags(typedIn('tags'));
  const capture: Capture = {
    title,
    url,
    selection: selection ?? null,
    pageText: pageText ?? null,
    metadata: { ...metadata, via },
    ...(tags.length === 0 ? {} : { tags }),
    ...(typedIn('note') === '' ? {} : { note: typedIn('note') }),
  };
  const text = JSON.stringify(capture);
  if (text !== sent.text) Object.assign(sent, { text, key: crypto.randomUUID() });
  try {
    const client = createClient({ baseUrl: location.origin, ...(apiKey === '' ? {} : { apiKey }) });
    const { captures } = await client('capture', { body: { capture }, headers: { 'idempotency-key': sent.key } });
    showStatus(
      captures[0]?.status === 'duplicate' ? 'It is already in your memory.' : 'It is saved. You can close this tab.',
    );
    return true;
  } catch (error) {
    const isRefused = error instanceof ProblemError && (error.status === 401 || error.status === 403);
    if (isRefused) element('key').hidden = false;
    if (isRefused)
      showStatus(apiKey === '' ? 'An API key is required. Enter it above.' : 'That key is not valid here.');
    else
      showStatus(
        error instanceof ProblemError ? error.message : 'Recollect does not answer. Start it, then try again.',
      );
    return false;
  }
}

function showStatus(text: string): void {
  element('status').textContent = text;
}

function typedIn(name: string): string {
  return (element(name) as HTMLInputElement).value.trim();
}

function element(name: string): HTMLElement {
  const found = document.getElementById(name);
  if (found === null) throw new Error(`The page has no ${name}.`);
  return found;
}

/** The data that the bookmarklet passes to the page, after the `#` of its address. */
interface BookmarkletPayload {
  title: string;
  url: string;
  selection?: string;
  /** Of the selection, or else of the page. */
  html?: string;
  pageText?: string;
  /** Whether the text was cut because the page was too long. */
  isCut?: boolean;
}

/**
 * The address of the bookmark. The function below becomes text, so it must be self-contained. It takes the selection,
 * or else the page without elements that are not text. If an address cannot hold that, it takes as much text as fits.
 */
export function bookmarklet(origin: string): string {
  return `javascript:${encodeURIComponent(`(${carry})(${JSON.stringify(`${origin}/save`)})`)}`;
}

function carry(page: string): void {
  // Browsers silently truncate addresses: Firefox at 1 MiB, Chromium at 2 MiB.
  const longest = 1_000_000;
  const { title, location } = document;
  // Truncation can leave a lone surrogate, and pages can contain one. The server rejects them.
  const pack = (content: object) =>
    encodeURIComponent(
      JSON.stringify({ title, url: location.href, ...content }, (_, value) => value?.toWellFormed?.() ?? value),
    );
  const selected = getSelection();
  const selection = String(selected);
  const marked = document.createElement('div');
  for (let at = 0; at < (selected?.rangeCount ?? 0); at++) {
    const range = selected?.getRangeAt(at);
    const common = range?.commonAncestorContainer;
    // The lines of a piece of code would be joined without their element.
    const isCode = (common instanceof Element ? common : common?.parentElement)?.closest('pre') != null;
    if (range !== undefined && !isCode) marked.append(range.cloneContents());
  }
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll(
    'script:not([type="application/ld+json"]),style,svg,noscript,iframe,link:not([rel=canonical])',
  ))
    element.remove();
  let packed = pack(selection.trim() === '' ? { html: copy.outerHTML } : { selection, html: marked.innerHTML });
  let text = selection.trim() === '' ? document.body.innerText : selection;
  if (packed.length > longest && selection.trim() !== '') packed = pack({ selection });
  for (let isCut = false; packed.length > longest; isCut = true) {
    packed = pack(isCut ? { pageText: text, isCut } : { pageText: text });
    text = text.slice(0, text.length / 2);
  }
  window.open(`${page}#${packed}`, '_blank', 'noopener');
}
