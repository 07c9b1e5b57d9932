import { type Operation, operations, type ProblemCode, problems } from '@recollect/contract';
import { escapeHtml } from '@recollect/documentation';
import { problemsOf } from '../problems-of.js';
import { layout } from './layout.js';

const codes = (list: readonly ProblemCode[]) => list.map((code) => `<code>${code}</code>`).join(' ');

/** The interface for people, from the table that the routes are made from (SYS-2). */
export const operationsPage: string = layout({
  path: '/docs/operations',
  title: 'Operations and errors',
  html: `<h1>Operations and errors</h1>
<p>All of it, with every field, as <a href="/openapi.json">OpenAPI 3.1</a>. The rules stand in <a href="/docs/interface">the interface</a>.</p>
<h2>Operations</h2>
<div class="wide"><table><thead><tr><th>Operation</th><th>What it does</th><th>Scope</th><th>Errors of its own</th></tr></thead><tbody>
${Object.values<Operation>(operations)
  .map(
    ({ method, path, summary, scope, problems: own }) =>
      `<tr><td><code>${method} ${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td><td>${scope}</td><td>${codes(own)}</td></tr>`,
  )
  .join('\n')}
</tbody></table></div>
<h2>Errors of any operation</h2>
<p>The gate and the router can give these to any request: ${codes(problemsOf.anywhere)}. With a scope also ${codes(problemsOf.scoped)}, with a body also ${codes(problemsOf.writing)}.</p>
<h2>Errors</h2>
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
