import { RecollectError } from '@recollect/core';
import { withBasePath } from '../base-path.js';
import type { RequestContext } from '../gate/gate.js';
import { layout } from './layout.js';
import { escapeHtml, findPage, listedPages } from './pages/index.js';

export { docsPolicy } from './layout.js';

/** The page at a path such as `getting-started/terminal`, with the base path in its links. Throws NOT_FOUND. */
export function renderPage(path: string, base: string): string {
  const page = findPage(path);
  if (page === undefined)
    throw new RecollectError('NOT_FOUND', `There is no such page. See ${base}/docs for all pages.`);
  return withBasePath(layout({ path: `/docs/${path}`, title: page.title, html: page.html }), base);
}

/** The first page, with commands for the URL under which the reader opened it. */
export function overview(version: string, { baseUrl, needsKey }: Pick<RequestContext, 'baseUrl' | 'needsKey'>): string {
  const links = listedPages.map(({ path, title }) => `<li><a href="/docs/${path}">${escapeHtml(title)}</a></li>`);
  const address = escapeHtml(baseUrl);
  const key = needsKey ? '-H "authorization: Bearer $KEY" ' : '';
  return layout({
    path: '/docs',
    title: 'Overview',
    html: `<h1>Recollect</h1>
<p class="lead">A memory that its user owns. Version ${escapeHtml(version)}.</p>
<h2>Try it</h2>
${needsKey ? '<p>An API key is required. See <a href="/docs/getting-started/http#with-a-key">With a key</a>.</p>' : ''}
<pre><code>curl -s ${address}/api/v1/capture \\
  -H 'content-type: application/json' ${key}\\
  -d '{"title": "Tea", "pageText": "Steep green tea below boiling."}'

curl -s ${key}'${address}/api/v1/capture/query?q=how+hot+should+the+water+be'</code></pre>
<h2>Next steps</h2>
<ul>${links.join('')}<li><a href="/openapi.json">The interface as OpenAPI 3.1</a></li></ul>`,
  });
}
