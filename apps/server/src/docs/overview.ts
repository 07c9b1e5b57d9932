import { escapeHtml, pages } from '@recollect/documentation';
import { layout } from './layout.js';

/** The first page. `baseUrl` is the address that its reader came by. */
export function overview(version: string, baseUrl: string): string {
  const links = pages.map(({ path, title }) => `<li><a href="/docs/${path}">${escapeHtml(title)}</a></li>`);
  const address = escapeHtml(baseUrl);
  return layout({
    path: '/docs',
    title: 'Overview',
    html: `<h1>Recollect</h1>
<p class="lead">A memory that its user owns. Version ${escapeHtml(version)}.</p>
<h2>Try it</h2>
<pre><code>curl -s ${address}/api/v1/capture -H 'content-type: application/json' \\
  -d '{"title": "Tea", "pageText": "Green tea is best steeped below the boiling point."}'

curl -s '${address}/api/v1/capture/query?q=how+hot+should+the+water+be'</code></pre>
<h2>Read on</h2>
<ul>${links.join('')}<li><a href="/docs/operations">Operations and errors</a>, also as <a href="/openapi.json">OpenAPI 3.1</a></li></ul>`,
  });
}
