import { parentPort } from 'node:worker_threads';
import type { Article } from '@recollect/core';
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import type { ExtractReply, ExtractRequest } from './messages.js';

if (parentPort === null) throw new Error('This file runs as a worker thread.');
const port = parentPort;

// Defuddle logs page errors, with a stack, to the console, which is the server's terminal.
for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[method] = () => {};

async function extract(html: string, url: string | null): Promise<Article> {
  // A fragment needs a document around it.
  const { document } = parseHTML(/<(?:html|body)[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  const found = await Defuddle(document, url ?? 'about:blank', {
    markdown: true,
    // Nothing is fetched; the page is the only input.
    useAsync: false,
  });
  const facts = { author: found.author, siteName: found.site, published: found.published, language: found.language };
  return {
    title: found.title ?? '',
    text: found.content.trim(),
    metadata: Object.fromEntries(Object.entries(facts).filter((fact): fact is [string, string] => Boolean(fact[1]))),
  };
}

port.on('message', async ({ id, html, url }: ExtractRequest) => {
  let reply: ExtractReply;
  try {
    reply = { id, article: await extract(html, url) };
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(reply);
});
