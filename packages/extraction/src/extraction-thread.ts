import { parentPort } from 'node:worker_threads';
import type { Article } from '@recollect/core';
import { baseOf, cleanPage, findArticle } from './dom/index.js';
import type { PageContent, Reply, Request } from './messages.js';
import { parsePage } from './parse-page.js';
import { readPlainText } from './read-plain-text.js';

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;

// Defuddle logs page errors, with a stack, to the console, which is the server's terminal.
for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[method] = () => {};

/** Finds the same text as the extension, except for the effects of style sheets and scripts. */
function extract({ html, url, scope }: PageContent): Article {
  const document = parsePage(html);
  const address = url ?? 'about:blank';
  const base = baseOf(document, address);
  cleanPage(document);
  const found = findArticle(document, { url: address, base }, scope);
  if (found === null) return { title: document.title, text: '', metadata: {} };
  const { title, text, comments, author, siteName, published, language } = found;
  const facts = { author, siteName, published, language };
  const metadata = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== ''));
  return { title, text, comments, metadata };
}

const PLAIN =
  'The page takes too long to convert. Its plain text was saved, without headings, lists, tables and links, and with its menus.';

/** The fallback for a page whose article cannot be found. */
function readPlain(html: string): Article {
  return { ...readPlainText(html), metadata: {}, warning: PLAIN };
}

port.on('message', ({ id, html, isPlain, ...page }: Request<PageContent>) => {
  port.postMessage({ id, hasBegun: true } satisfies Reply);
  let reply: Reply;
  try {
    reply = { id, article: isPlain ? readPlain(html) : extract({ html, ...page }) };
  } catch (error) {
    if (isPlain) reply = { id, error: error instanceof Error ? error.message : String(error) };
    // Elements that are nested very deep exceed the stack.
    else reply = { id, article: readPlain(html) };
  }
  port.postMessage(reply);
});
