import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, browserPath, openBrowser } from '@recollect/browser';
import { webFolder } from '@recollect/web/files';
import type { BrowserContext, Page } from 'playwright-core';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { fill } from './fill.js';
import { openService, type Service } from './open-service.js';
import { quantile, time } from './statistics.js';
import { scrollThrough, tabBytes, timeKeys } from './web-page.js';

const MEMORIES = 10_000;
const OPENINGS = 15;
const QUERIES = 14;
const LETTERS_PER_QUERY = 10;
/** The memories at the first paint. */
const FIRST = ['Tea', 'Coffee', 'Cocoa'];
const MEGABYTE = 1024 * 1024;

/**
 * Measures the web app in Chromium against the limits of its design, at 10,000 memories. Returns nothing without
 * Chromium.
 */
export async function measureWeb(): Promise<Figure[]> {
  if (browserPath === undefined) return [];
  const service = await openService({ withModel: true });
  const browser = await openBrowser({ isWhole: true });
  try {
    const random = createRandom(7);
    const word = createWords(random);
    const paints = await measurePaints(browser.context, service);
    await fill(service, MEMORIES, random, word);
    const keys = await measureKeys(browser, service, word);
    const home = await measureHome(browser, service);
    const scroll = await measureScroll(browser, service);
    const name = `web app at ${MEMORIES.toLocaleString('en')} memories`;
    return [
      {
        name: 'web app, scripts and styles of the first page, gzip',
        value: await firstPageSize(),
        unit: 'KB',
        limit: 80,
      },
      {
        name: `web app, first paint relative to a page of one line (${paints.empty.toFixed(0)} ms)`,
        value: paints.app / paints.empty,
        unit: 'times',
        limit: 1.5,
      },
      {
        name: `${name}, key press to results, p50 (the query alone ${quantile(keys.alone, 0.5).toFixed(0)})`,
        value: quantile(keys.shown, 0.5),
        unit: 'ms',
        limit: 55,
      },
      {
        name: `${name}, key press to results, p95 (the query alone ${quantile(keys.alone, 0.95).toFixed(0)})`,
        value: quantile(keys.shown, 0.95),
        unit: 'ms',
        limit: 120,
      },
      { name: `${name}, Home to its last shelf, p50`, value: quantile(home, 0.5), unit: 'ms', limit: 150 },
      { name: `${name}, longest frame while scrolling`, value: scroll.longestFrame, unit: 'ms', limit: 50 },
      { name: `${name}, most DOM nodes while scrolling`, value: scroll.nodes, unit: 'nodes', limit: 2_000 },
      { name: `${name}, memory of the tab after scrolling`, value: scroll.megabytes, unit: 'MB', limit: 80 },
    ];
  } finally {
    await browser.close();
    await service.close();
  }
}

/** Kilobytes of the files that index.html loads, and of those that they import statically. */
async function firstPageSize(): Promise<number> {
  const waiting = [...(await readFile(join(webFolder, 'index.html'), 'utf8')).matchAll(/assets\/[\w.-]+\.(?:js|css)/g)];
  const names = new Set(waiting.map(([name]) => name));
  let bytes = 0;
  for (const name of names) {
    const content = await readFile(join(webFolder, name));
    bytes += gzipSync(content, { level: 9 }).length;
    // Imports of the bundler: `import{a}from"./b.js"`, but not `import("./c.js")`.
    if (name.endsWith('.js'))
      for (const [, other] of content.toString().matchAll(/(?:from|import)\s*["']\.\/([\w.-]+)["']/g))
        names.add(`assets/${other}`);
  }
  return bytes / 1024;
}

/**
 * Milliseconds to first contentful paint of the app with a few memories, and of a page of one line from the same
 * server.
 */
async function measurePaints(
  context: BrowserContext,
  { address, client }: Service,
): Promise<{ app: number; empty: number }> {
  for (const title of FIRST) await client('capture', { body: { title, pageText: `${title} is a drink.` } });
  const paths = { app: '/', empty: '/healthz' } as const;
  const times = { app: [] as number[], empty: [] as number[] };
  for (let opening = 0; opening < OPENINGS; opening++) {
    for (const name of ['empty', 'app'] as const) {
      const page = await context.newPage();
      await page.goto(address + paths[name]);
      times[name].push(await page.evaluate(firstPaint));
      await page.close();
    }
  }
  return { app: quantile(times.app, 0.5), empty: quantile(times.empty, 0.5) };
}

/** Runs in the page. */
function firstPaint(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const [paint] = list.getEntriesByName('first-contentful-paint');
      if (paint !== undefined) resolve(paint.startTime);
    }).observe({ type: 'paint', buffered: true });
  });
}

/**
 * Milliseconds from each key press of several queries to the frame that shows its results, and of the same queries
 * without a browser.
 */
async function measureKeys({ context }: Browser, { address, client }: Service, word: () => string) {
  const page = await context.newPage();
  await showList(page, address);
  const [shown, alone]: [number[], number[]] = [[], []];
  for (let at = 0; at < QUERIES; at++) {
    const query = createText(word, 3).slice(0, LETTERS_PER_QUERY);
    shown.push(...(await timeKeys(page, query)));
    for (let end = 1; end <= query.length; end++) {
      const typed = query.slice(0, end);
      if (!typed.endsWith(' ')) alone.push(await time(() => client('query', { body: { query: typed, limit: 50 } })));
    }
  }
  await page.close();
  return { shown, alone };
}

/** Milliseconds from a click on *Home* to the frame that shows its last shelf, which is a saved search. */
async function measureHome({ context }: Browser, { address, client }: Service): Promise<number[]> {
  await client('createSavedSearch', { body: { name: 'Last shelf', query: 'source:url' } });
  const page = await context.newPage();
  const times: number[] = [];
  for (let visit = 0; visit < OPENINGS; visit++) {
    await showList(page, address);
    times.push(await page.evaluate(timeHome));
  }
  await page.close();
  return times;
}

/** Runs in the page. */
function timeHome(): Promise<number> {
  const start = performance.now();
  document.querySelector<HTMLAnchorElement>('.navigation a')?.click();
  return new Promise((resolve) => {
    const step = (now: number) => {
      const shelves = [...document.querySelectorAll('.shelf')];
      const isLast = shelves.some((shelf) => shelf.querySelector('h2')?.textContent === 'Last shelf');
      if (isLast) resolve(now - start);
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
}

/** Scrolls to the end of the list, and measures what the tab keeps then. */
async function measureScroll({ context }: Browser, { address }: Service) {
  const page = await context.newPage();
  await showList(page, address);
  // No route sees what a service worker requests.
  await page.evaluate(async () => {
    for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();
  });
  // Browsers measure the memory of isolated pages only. Nothing else of the page changes.
  await page.route(`${address}/everything`, async (route) => {
    const response = await route.fetch();
    const headers = {
      ...response.headers(),
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-opener-policy': 'same-origin',
    };
    await route.fulfill({ response, headers });
  });
  await showList(page, address);
  const { longestFrame, nodes } = await scrollThrough(page, MEMORIES + FIRST.length);
  const megabytes = (await tabBytes(page)) / MEGABYTE;
  await page.close();
  return { longestFrame, nodes, megabytes };
}

async function showList(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/everything`);
  await page.getByRole('list', { name: 'Memories' }).getByRole('listitem').first().waitFor();
}
