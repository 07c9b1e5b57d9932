import { type Operation, operations, type ProblemCode, problems } from '@recollect/contract';
import { commonProblems } from '../problem.js';
import { layout } from './layout.js';
import { escapeHtml } from './pages/index.js';

const codes = (list: readonly ProblemCode[]) => list.map((code) => `<code>${code}</code>`).join(' ');

/** The interface for people, generated from the same table as the routes (SYS-2). */
export const operationsPage: string = layout({
  path: '/docs/operations',
  title: 'Operations and errors',
  html: `<h1>Operations and errors</h1>
<p>The <a href="/openapi.json">OpenAPI 3.1 document</a> has every field. The <a href="/docs/interface">HTTP interface</a> has the rules.</p>
<h2>Operations</h2>
<div class="wide"><table><thead><tr><th>Operation</th><th>What it does</th><th>Scope</th><th>Errors</th></tr></thead><tbody>
${Object.values<Operation>(operations)
  .map(
    ({ method, path, summary, scope, problems: own }) =>
      `<tr><td><code>${method} ${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td><td>${scope}</td><td>${codes(own)}</td></tr>`,
  )
  .join('\n')}
</tbody></table></div>
<h2>Common errors</h2>
<p>Any request can return ${codes(commonProblems.anywhere)}.</p>
<p>Operations with a scope can also return ${codes(commonProblems.scoped)}.</p>
<p>Requests other than GET can also return ${codes(commonProblems.writing)}.</p>
<h2>Error codes</h2>
<p>Every error is <code>application/problem+json</code> with <code>code</code>, <code>detail</code> and <code>requestId</code>.</p>
<div class="wide"><table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>
${Object.entries(problems)
  .map(
    ([code, { status, title }]) =>
      `<tr><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(title)}</td></tr>`,
  )
  .join('\n')}
</tbody></table></div>`,
});
