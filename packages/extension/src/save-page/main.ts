import type { Capture, Comment } from '@recollect/contract';
import { type Client, createClient, ProblemError } from '@recollect/contract/client';
import { countWords, readTags } from '@recollect/contract/text';
import { baseOf, cleanPage, findArticle, toMarkdown } from '@recollect/extraction/dom';
import { readFacts } from '../content/read-facts.js';
import { type BookmarkletPayload, bookmarklet } from './bookmarklet.js';
import { readShared } from './read-shared.js';
import { showTags } from './show-tags.js';
import { watchStability } from './watch-stability.js';

/** The content from the bookmarklet, or from another app, that can be saved. */
interface Content extends Pick<Capture, 'selection' | 'pageText' | 'metadata'> {
  title: string;
  /** Null for a text that was shared without an address. */
  url: string | null;
  text: string;
  comments?: readonly Comment[];
  isCut: boolean;
  via: 'bookmarklet' | 'share';
}

/** The share of the words of a selection that its elements must have, which may lack some that only the page shows. */
const MIN_WORDS_SHARE = 0.8;

/** The deployment of this page, which may be under a path of its host. */
const baseUrl = new URL('.', location.href).href.slice(0, -1);

/** Returns the value of the field for tags, which is on the page once there is something to save. */
let typedTags = () => '';

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
    const payload: unknown = JSON.parse(decodeURIComponent(fragment.slice(1)));
    const { title, url, selection, html, pageText, isCut } = payload as Record<keyof BookmarkletPayload, unknown>;
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
  return countWords(marked) < MIN_WORDS_SHARE * countWords(selection) ? selection : marked;
}

/** The article as the extension would find it. DOMParser loads and runs nothing of the page. */
function readArticle(
  html: string,
  url: string,
): Pick<Content, 'text' | 'pageText' | 'comments' | 'metadata'> & { title?: string } {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const base = baseOf(parsed, url);
  cleanPage(parsed);
  const article = findArticle(parsed, { url, base });
  if (article === null) throw new Error('There is no text.');
  const { text, title, comments, extractor } = article;
  return {
    text,
    pageText: text,
    comments,
    ...(title === '' ? {} : { title }),
    metadata: { ...readFacts(parsed, article), extractor },
  };
}

function showBookmarklet(): void {
  const address = bookmarklet(baseUrl);
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
  typedTags = showTags(element('tags-field'), connect);
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
async function save({ title, url, selection, pageText, comments = [], metadata, via }: Content): Promise<boolean> {
  const tags = readTags(typedTags());
  const capture: Capture = {
    title,
    url,
    selection: selection ?? null,
    pageText: pageText ?? null,
    ...(comments.length === 0 ? {} : { comments: [...comments] }),
    metadata: { ...metadata, via },
    ...(tags.length === 0 ? {} : { tags }),
    ...(typedIn('note') === '' ? {} : { note: typedIn('note') }),
  };
  const text = JSON.stringify(capture);
  if (text !== sent.text) Object.assign(sent, { text, key: crypto.randomUUID() });
  try {
    const { captures } = await connect()('capture', { body: { capture }, headers: { 'idempotency-key': sent.key } });
    showStatus(
      captures[0]?.status === 'duplicate' ? 'It is already in your memory.' : 'It is saved. You can close this tab.',
    );
    return true;
  } catch (error) {
    const isRefused = error instanceof ProblemError && (error.status === 401 || error.status === 403);
    if (isRefused) element('key').hidden = false;
    if (isRefused)
      showStatus(
        typedIn('key-field') === '' ? 'An API key is required. Enter it above.' : 'That key is not valid here.',
      );
    else
      showStatus(
        error instanceof ProblemError ? error.message : 'Recollect does not answer. Start it, then try again.',
      );
    return false;
  }
}

/** A client with the key that was typed, if there is one. */
function connect(): Client {
  const apiKey = typedIn('key-field');
  return createClient({ baseUrl, ...(apiKey === '' ? {} : { apiKey }) });
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
