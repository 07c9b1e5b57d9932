import { createHash } from 'node:crypto';
import { type Operation, operations, problems } from '@recollect/contract';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: light-dark(#d7dce1, #3a4149); --soft: light-dark(#5a6570, #9aa5b1); }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 4rem; }
h1 { margin: 0 0 .25rem; } h2 { margin-top: 2.5rem; }
p.lead { color: var(--soft); margin-top: 0; }
table { border-collapse: collapse; width: 100%; } .wide { overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; }
code { font: .9em ui-monospace, monospace; } td:first-child code { white-space: nowrap; }
pre { border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; padding: .75rem 1rem; }
`;

/** The policy that lets the page use its own style and nothing else. */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The interface for people, made from the table that the routes are made from (SYS-2). `host` is what they reached it by. */
export function docsPage(version: string, host: string): string {
  const rows = Object.values<Operation>(operations).map(
    ({ method, path, summary, problems: codes }) =>
      `<tr><td><code>${method} ${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td><td>${codes.map((code) => `<code>${code}</code>`).join(' ')}</td></tr>`,
  );
  const errors = Object.entries(problems).map(
    ([code, { status, title }]) =>
      `<tr><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(title)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Recollect</title>
<style>${STYLE}</style>
<h1>Recollect</h1>
<p class="lead">A memory that its user owns. Version ${escapeHtml(version)}.</p>
<h2>Try it</h2>
<pre>curl -s ${escapeHtml(host)}/api/v1/capture -H 'content-type: application/json' \\
  -d '{"title": "Tea", "pageText": "Green tea is best steeped below the boiling point."}'

curl -s '${escapeHtml(host)}/api/v1/capture/query?q=how+hot+should+the+water+be'</pre>
<h2>Operations</h2>
<p>All of it as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<div class="wide"><table><tr><th>Operation</th><th>What it does</th><th>Its errors</th></tr>${rows.join('')}</table></div>
<h2>Errors</h2>
<p>Every error is <code>application/problem+json</code> with <code>code</code>, <code>detail</code> and <code>requestId</code>.</p>
<div class="wide"><table><tr><th>Code</th><th>Status</th><th>Meaning</th></tr>${errors.join('')}</table></div>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
