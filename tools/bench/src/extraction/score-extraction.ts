import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { readTexts } from './in-page.js';
import { wordF1 } from './score.js';

export interface PageScore {
  /** Name of the fixture, such as `news-daily`. */
  page: string;
  recollect: number;
  readability: number;
}

const FOLDER = new URL('../../fixtures/articles/', import.meta.url);
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/** Where Chromium is on this machine; undefined where it is not. */
export const browserPath = PLACES.find((path) => existsSync(path));

/** The word-level F1 of the content script, and of Readability, over the marked pages, each in a real Chromium. */
export async function scoreExtraction(): Promise<PageScore[]> {
  const readability = createRequire(import.meta.url).resolve('@mozilla/readability/Readability.js');
  const content = fileURLToPath(import.meta.resolve('@recollect/extension/content.js'));
  const browser = await chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ bypassCSP: true });
    const scores: PageScore[] = [];
    for (const file of (await readdir(FOLDER)).sort()) {
      const html = await readFile(new URL(file, FOLDER), 'utf8');
      const [, url = 'https://page.example/'] = /<!--\s*url:\s*(\S+)\s*-->/.exec(html) ?? [];
      const page = await context.newPage();
      // Nothing but the page itself is there; what it asks for beyond that is not.
      await page.route('**', (route) =>
        route.request().isNavigationRequest() && route.request().frame() === page.mainFrame()
          ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: html })
          : route.abort(),
      );
      await page.goto(url, { waitUntil: 'domcontentloaded' });
      await page.addScriptTag({ path: readability });
      await page.addScriptTag({ path: content });
      // The scripts themselves are no part of the page.
      const texts = await page.evaluate(readTexts);
      scores.push({
        page: file.replace(/\.html$/, ''),
        recollect: wordF1(texts.expected, texts.recollect),
        readability: wordF1(texts.expected, texts.readability),
      });
      await page.close();
    }
    return scores;
  } finally {
    await browser.close();
  }
}
