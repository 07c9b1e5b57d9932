import { fileURLToPath } from 'node:url';
import { type Browser, serveOnly } from '@recollect/browser';
import type { Page } from 'playwright-core';
import type { Reading, ReadOptions } from '../src/reading.js';

const CONTENT = fileURLToPath(new URL('../dist/browser/content.js', import.meta.url));

/** Opens a page at an address, made of this HTML only. */
export async function openPage({ context }: Browser, url: string, html: string): Promise<Page> {
  const page = await context.newPage();
  await serveOnly(page, () => html);
  await page.goto(url, { waitUntil: 'load' });
  return page;
}

/** Runs the shipped content script in a page, loaded as an ordinary script. */
export async function read(page: Page, options: ReadOptions = { openclawHosts: ['localhost'] }): Promise<Reading> {
  await page.addScriptTag({ path: CONTENT });
  return page.evaluate((given) => recollectReadPage(given), options);
}

declare global {
  var recollectReadPage: (options: ReadOptions) => Reading;
}
