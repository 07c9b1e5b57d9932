import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { openBrowser, serveOnly } from '@recollect/browser';
import { readTexts } from './in-page.js';
import { wordF1 } from './score.js';

export interface PageScore {
  /** Name of the fixture, such as `news-daily`. */
  page: string;
  recollect: number;
  readability: number;
}

const FOLDER = new URL('../../fixtures/articles/', import.meta.url);

/**
 * The word-level F1 of the content script and of Readability for each marked page, in a real Chromium.
 *
 * @param step only every so many pages; all by default
 */
export async function scoreExtraction(step = 1): Promise<PageScore[]> {
  const readability = createRequire(import.meta.url).resolve('@mozilla/readability/Readability.js');
  const content = fileURLToPath(import.meta.resolve('@recollect/extension/content.js'));
  const browser = await openBrowser();
  try {
    const scores: PageScore[] = [];
    let shown = '';
    const page = await browser.context.newPage();
    await serveOnly(page, () => shown);
    const files = (await readdir(FOLDER)).sort();
    for (const file of files.filter((_, place) => place % step === 0)) {
      const html = await readFile(new URL(file, FOLDER), 'utf8');
      const [, url = 'https://page.example/'] = /<!--\s*url:\s*(\S+)\s*-->/.exec(html) ?? [];
      shown = html;
      await page.goto(url, { waitUntil: 'domcontentloaded' });
      await page.addScriptTag({ path: readability });
      await page.addScriptTag({ path: content });
      const texts = await page.evaluate(readTexts);
      scores.push({
        page: file.replace(/\.html$/, ''),
        recollect: wordF1(texts.expected, texts.recollect),
        readability: wordF1(texts.expected, texts.readability),
      });
    }
    return scores;
  } finally {
    await browser.close();
  }
}
