import { parentPort } from 'node:worker_threads';
import type { Article } from '@recollect/core';
import { baseOf, cleanPage, findArticle } from './dom/index.js';
import type { PageContent, Reply, Request } from './messages.js';
import { parsePage } from './parse-page.js';

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;

// Defuddle logs page errors, with a stack, to the console, which is the server's terminal.
for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[method] = () => {};

/** Finds what the extension finds in the same page, except for what style sheets and scripts change. */
function extract(html: string, url: string | null): Article {
  const document = parsePage(html);
  const address = url ?? 'about:blank';
  const base = baseOf(document, address);
  cleanPage(document);
  const found = findArticle(document, { url: address, base });
  if (found === null) return { title: document.title, text: '', metadata: {} };
  const { title, text, author, siteName, published, language } = found;
  const facts = { author, siteName, published, language };
  return { title, text, metadata: Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== '')) };
}

port.on('message', ({ id, html, url }: Request<PageContent>) => {
  port.postMessage({ id, hasBegun: true } satisfies Reply);
  let reply: Reply;
  try {
    reply = { id, article: extract(html, url) };
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(reply);
});
