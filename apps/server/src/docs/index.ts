import { RecollectError } from '@recollect/core';
import { layout } from './layout.js';
import { findPage } from './pages/index.js';

export { docsPolicy } from './layout.js';
export { overview } from './overview.js';

/** The page at a path such as `getting-started/terminal`. Throws NOT_FOUND. */
export function renderPage(path: string): string {
  const page = findPage(path);
  if (page === undefined) throw new RecollectError('NOT_FOUND', 'There is no such page. See /docs for all pages.');
  return layout({ path: `/docs/${path}`, title: page.title, html: page.html });
}
