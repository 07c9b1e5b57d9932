import { parentPort } from 'node:worker_threads';
import type { Article } from '@recollect/core';
import { parseHTML } from 'linkedom';
import { baseOf, cleanPage, findArticle } from './dom/index.js';
import type { ExtractReply, ExtractRequest } from './messages.js';

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;

// Defuddle logs page errors, with a stack, to the console, which is the server's terminal.
for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[method] = () => {};

/** In HTML, these marks of XML are a comment. The parser takes everything between them for text. */
const CDATA = /<!\[CDATA\[|\]\]>/g;

/** Finds what the extension finds in the same page, except for what style sheets and scripts change. */
function extract(html: string, url: string | null): Article {
  // A fragment needs a document around it.
  const page = html.includes('<![CDATA[') ? html.replace(CDATA, '') : html;
  const { document } = parseHTML(/<(?:html|body)[\s>]/i.test(page) ? page : `<html><body>${page}</body></html>`);
  const address = url ?? 'about:blank';
  const base = baseOf(document, address);
  cleanPage(document);
  const found = findArticle(document, { url: address, base });
  if (found === null) return { title: document.title, text: '', metadata: {} };
  const { title, text, author, siteName, published, language } = found;
  const facts = { author, siteName, published, language };
  return { title, text, metadata: Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== '')) };
}

port.on('message', ({ id, html, url }: ExtractRequest) => {
  port.postMessage({ id, hasBegun: true } satisfies ExtractReply);
  let reply: ExtractReply;
  try {
    reply = { id, article: extract(html, url) };
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(reply);
});
