import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Reading, ReadOptions } from '../src/reading.js';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/** Where Chromium is on this machine; undefined where it is not. */
export const browserPath = PLACES.find((path) => existsSync(path));

const CONTENT = fileURLToPath(new URL('../dist/browser/content.js', import.meta.url));

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] });
}

/** A page at an address, made of this text alone, with the content script that ships loaded into it. */
export async function openPage(browser: Browser, url: string, html: string): Promise<Page> {
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.route('**', (route) =>
    route.request().isNavigationRequest() && route.request().frame() === page.mainFrame()
      ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: html })
      : route.abort(),
  );
  await page.goto(url, { waitUntil: 'load' });
  return page;
}

/** What the content script reads of a page. */
export async function read(page: Page, options: ReadOptions = { openclawHosts: ['localhost'] }): Promise<Reading> {
  await page.addScriptTag({ path: CONTENT });
  return page.evaluate((given) => recollectReadPage(given), options);
}

declare global {
  var recollectReadPage: (options: ReadOptions) => Reading;
}
