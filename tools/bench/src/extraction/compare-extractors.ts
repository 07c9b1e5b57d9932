import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openContext, serveOnly } from '@recollect/browser';
import { plainText } from '@recollect/contract/text';
import { openArticleExtractor } from '@recollect/extraction';
import { quantile } from '../statistics.js';
import type { KnownPage } from './page-set.js';

/** The texts that each extractor found in the pages, in their order, and the time that each took. */
export interface Comparison {
  /** Plain texts by the name of the extractor. */
  texts: Record<'browser' | 'server' | 'Readability' | 'Defuddle', string[]>;
  /** The median time of a page as a multiple of Readability's. */
  times: Record<'browser' | 'Defuddle', number>;
  /** The size of the script that the extension adds to a page, in bytes with `gzip -9`. */
  scriptBytes: number;
}

/** What the loaded scripts define in the page. */
declare function recollectReadPage(options: { openclawHosts: string[] }): { pageText: string | null };
declare const Readability: new (document: Document) => { parse(): { content?: string | null } | null };
declare const Defuddle: new (document: Document, options: { url: string }) => { parse(): { content: string } };

/**
 * Extracts each page with the extension's script, Readability and Defuddle in Chromium, and with the server's
 * extractor. The pages' own scripts don't run.
 */
export async function compareExtractors(pages: readonly KnownPage[], report: () => void): Promise<Comparison> {
  const require = createRequire(import.meta.url);
  const script = await readFile(fileURLToPath(import.meta.resolve('@recollect/extension/content.js')), 'utf8');
  const peers = [require.resolve('@mozilla/readability/Readability.js'), require.resolve('defuddle')];
  const sources = [script, ...(await Promise.all(peers.map((path) => readFile(path, 'utf8'))))].map(
    (source) => `${source};0`,
  );
  const texts: Comparison['texts'] = { browser: [], server: [], Readability: [], Defuddle: [] };
  const ratios: Record<'browser' | 'Defuddle', number[]> = { browser: [], Defuddle: [] };
  const server = openArticleExtractor();
  const { context, close } = await openContext();
  try {
    let shown = '';
    const tab = await context.newPage();
    await serveOnly(tab, () => shown, { 'content-security-policy': "script-src 'none'" });
    for (const page of pages) {
      shown = page.html;
      await tab.goto(page.url, { waitUntil: 'domcontentloaded' });
      for (const source of sources) await tab.evaluate(source);
      const found = await tab.evaluate(readWithAll, page.url);
      texts.browser.push(plainText(found.browser.text));
      texts.Readability.push(found.Readability.text);
      texts.Defuddle.push(found.Defuddle.text);
      for (const name of ['browser', 'Defuddle'] as const)
        ratios[name].push(found[name].time / Math.max(0.1, found.Readability.time));
      texts.server.push(plainText((await server.extract(page.html, page.url)).text));
      report();
    }
  } finally {
    await Promise.all([close(), server.close()]);
  }
  return {
    texts,
    times: { browser: quantile(ratios.browser, 0.5), Defuddle: quantile(ratios.Defuddle, 0.5) },
    scriptBytes: gzipSync(script, { level: 9 }).length,
  };
}

/** Runs in the page. Each extractor gets the best of two times, because the first one also compiles its code. */
function readWithAll(url: string) {
  const measure = (read: () => string) => {
    const times: number[] = [];
    let text = '';
    for (let run = 0; run < 2; run++) {
      const start = performance.now();
      text = read();
      times.push(performance.now() - start);
    }
    return { text, time: Math.min(...times) };
  };
  const textOf = (html: string) => {
    const body = new DOMParser().parseFromString(html, 'text/html').body;
    for (const element of body.querySelectorAll('script, style')) element.remove();
    for (const element of body.querySelectorAll(
      'address, article, aside, blockquote, br, dd, div, dl, dt, figcaption, h1, h2, h3, h4, h5, h6, hr, li, p, pre, section, table, td, th, tr',
    ))
      element.append('\n');
    return body.textContent ?? '';
  };
  const copy = () => document.cloneNode(true) as Document;
  const attempt = (read: () => string) => {
    try {
      return read();
    } catch {
      return '';
    }
  };
  const Readability_ = measure(() => attempt(() => new Readability(copy()).parse()?.content ?? ''));
  const Defuddle_ = measure(() => attempt(() => new Defuddle(copy(), { url }).parse().content));
  return {
    browser: measure(() => recollectReadPage({ openclawHosts: [] }).pageText ?? ''),
    Readability: { ...Readability_, text: textOf(Readability_.text) },
    Defuddle: { ...Defuddle_, text: textOf(Defuddle_.text) },
  };
}
