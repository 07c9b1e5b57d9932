import { readFileSync } from 'node:fs';
import type { DocumentationPage } from './page.js';

export { escapeHtml } from './escape-html.js';
export type { DocumentationPage } from './page.js';

/** All pages in display order. */
export const pages: readonly DocumentationPage[] = JSON.parse(
  readFileSync(new URL('pages.json', import.meta.url), 'utf8'),
);

/** The pages that navigation shows. */
export const listedPages = pages.filter(({ isListed }) => isListed);

/** The page at a path such as `getting-started/terminal`; undefined if there is none. */
export function findPage(path: string): DocumentationPage | undefined {
  return pages.find((page) => page.path === path);
}
