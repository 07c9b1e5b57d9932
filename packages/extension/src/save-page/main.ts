import type { Capture } from '@recollect/contract';
import { createClient, ProblemError } from '@recollect/contract/client';
import { countWords } from '../words.js';
import { bookmarklet, type Carried } from './bookmarklet.js';

/** Milliseconds before the button can be pressed: a page that opens this one under the pointer must not get the click. */
const CALM = 800;

const carried = read(location.hash);
// What was carried along is not for the history, nor for a reload.
history.replaceState(null, '', location.pathname);
if (carried === null) showBookmarklet();
else showCapture(carried);

/** What stands behind the address; null when there is nothing that could be saved. */
function read(hash: string): Carried | null {
  try {
    const given: unknown = JSON.parse(decodeURIComponent(hash.slice(1)));
    const { title, url, selection, html, pageText, isCut } = given as Record<keyof Carried, unknown>;
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    if (!URL.canParse(text(url)) || !/^https?:$/.test(new URL(text(url)).protocol)) return null;
    const content = { selection: text(selection), html: text(html), pageText: text(pageText) };
    const kept = Object.entries(content).filter(([, value]) => value.trim() !== '');
    if (kept.length === 0) return null;
    return { title: text(title), url: text(url), ...Object.fromEntries(kept), isCut: isCut === true };
  } catch {
    return null;
  }
}

function showBookmarklet(): void {
  const address = bookmarklet(location.origin);
  element('bookmarklet').setAttribute('href', address);
  (element('source') as HTMLTextAreaElement).value = address;
  element('install').hidden = false;
}

function showCapture({ isCut, ...content }: Carried): void {
  const { title, url, selection, html, pageText } = content;
  const text = selection ?? pageText ?? textOfPage(html ?? '');
  element('title').textContent = title || new URL(url).host;
  element('facts').textContent = [
    new URL(url).host,
    html === undefined ? `${countWords(text).toLocaleString('en')} words` : 'its article, as Recollect finds it',
    ...(isCut ? ['only its beginning: the whole is too long for a bookmark'] : []),
  ].join(' · ');
  element('lines').textContent = text.replace(/\s+/g, ' ').trim().slice(0, 600);
  const form = element('capture') as HTMLFormElement;
  const button = element('save') as HTMLButtonElement;
  form.hidden = false;
  setTimeout(() => {
    button.disabled = false;
    button.focus();
  }, CALM);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.disabled = true;
    void save(content).then((isDone) => {
      button.disabled = isDone;
    });
  });
}

/** Parsed without a window of its own, so that nothing of it is loaded or run. */
function textOfPage(html: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  // Without a layout nothing stands between a heading and what follows it.
  for (const block of parsed.querySelectorAll('p, h1, h2, h3, h4, li, div')) block.append(' ');
  return (parsed.querySelector('article, main') ?? parsed.body).textContent ?? '';
}

/** What was sent last, and its Idempotency-Key: the same again is the same request. */
const sent = { text: '', key: '' };

/** Whether it is saved now. */
async function save(content: Omit<Carried, 'isCut'>): Promise<boolean> {
  const apiKey = typedIn('key-field');
  const tags = typedIn('tags')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const capture: Capture = {
    ...content,
    metadata: { extractor: 'bookmarklet' },
    ...(tags.length === 0 ? {} : { tags }),
    ...(typedIn('note') === '' ? {} : { note: typedIn('note') }),
  };
  try {
    const client = createClient({ baseUrl: location.origin, ...(apiKey === '' ? {} : { apiKey }) });
    const text = JSON.stringify(capture);
    if (text !== sent.text) Object.assign(sent, { text, key: crypto.randomUUID() });
    const { captures } = await client('capture', { body: { capture }, headers: { 'idempotency-key': sent.key } });
    const isKnown = captures[0]?.status === 'duplicate';
    tell(isKnown ? 'It is already in your memory.' : 'It is saved. You can close this tab.');
    return true;
  } catch (error) {
    const isRefused = error instanceof ProblemError && (error.status === 401 || error.status === 403);
    if (isRefused) element('key').hidden = false;
    tell(
      isRefused
        ? 'Recollect asks for an API key.'
        : error instanceof ProblemError
          ? error.message
          : 'Recollect does not answer. Start it, then try again.',
    );
    return false;
  }
}

function tell(text: string): void {
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
