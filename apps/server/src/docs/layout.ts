import { createHash } from 'node:crypto';
import { escapeHtml, listedPages } from './pages/index.js';

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d7dce1, #3a4149); --soft: light-dark(#566370, #9aa5b1); --accent: light-dark(#0b5cad, #7db8ff);
  --back: light-dark(#ffffff, #14181d); --raised: light-dark(#f4f6f8, #1d232a); --text: light-dark(#1b2026, #e4e8ec);
  background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
body { display: grid; gap: 0 3rem; grid-template: "top top" auto "nav main" 1fr / 13rem minmax(0, 52rem); margin: 0 auto; max-width: 69rem; padding: 0 1.25rem 4rem; }
header { align-items: baseline; border-bottom: 1px solid var(--line); display: flex; gap: 1.5rem; grid-area: top; margin-bottom: 1.5rem; padding: 1rem 0; }
header a:first-child { color: var(--text); font-weight: 650; margin-right: auto; } .contents { display: none; }
nav { grid-area: nav; font-size: .925rem; } nav p { color: var(--soft); font-size: .8rem; letter-spacing: .04em; margin: 1.25rem 0 .25rem; text-transform: uppercase; }
nav p:first-child { margin-top: 0; } nav ul { list-style: none; margin: 0; padding: 0; } nav a { display: block; padding: .2rem 0; } nav a[aria-current] { color: var(--text); font-weight: 600; }
main { grid-area: main; } h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; } h2 { font-size: 1.3rem; margin: 2.25rem 0 .5rem; } h3 { font-size: 1.05rem; margin: 1.5rem 0 .25rem; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; } a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.lead { color: var(--soft); } .wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .925rem; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .45rem .75rem .45rem 0; text-align: left; vertical-align: top; } th { color: var(--soft); font-weight: 600; }
code { background: var(--raised); border-radius: 4px; font: .875em ui-monospace, monospace; overflow-wrap: break-word; padding: .1em .3em; }
td:first-child code { white-space: nowrap; } pre { background: var(--raised); border-radius: 8px; overflow-wrap: anywhere; white-space: pre-wrap; padding: .8rem 1rem; } pre code { background: none; padding: 0; overflow-wrap: normal; }
li { margin: .25rem 0; } img { border: 1px solid var(--line); border-radius: 10px; display: block; max-width: 100%; } blockquote { border-left: 3px solid var(--line); color: var(--soft); margin: 1rem 0; padding-left: 1rem; }
td code { font-size: .8em; }
@media (max-width: 40rem) { thead { display: none; } tr { border-bottom: 1px solid var(--line); display: block; padding: .5rem 0; } td { border: 0; display: block; padding: .1rem 0; } td:empty { display: none; } td:first-child { font-weight: 600; } td:first-child code { white-space: normal; overflow-wrap: anywhere; } }
@media (max-width: 52rem) { body { grid-template: "top" auto "main" auto "nav" auto / minmax(0, 1fr); } .contents { display: inline; } nav { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 1.5rem; } }
`;

/** The content security policy of a page: it may use its own style and inlined pictures, and nothing else (SEC-12). */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const entries = [
  { section: 'Recollect', path: '/docs', title: 'Overview' },
  ...listedPages.map(({ section, path, title }) => ({ section, path: `/docs/${path}`, title })),
];

/** A complete page. `html` is trusted: it comes from docs/, never from stored data. */
export function layout({ path, title, html }: { path: string; title: string; html: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} – Recollect</title>
<style>${STYLE}</style>
</head>
<body>
<header><a href="/docs">Recollect</a><a class="contents" href="#contents">Contents</a><a href="/">Your memories</a></header>
<main>
${html}
</main>
<nav id="contents" aria-label="Contents">
${navigation(path)}
</nav>
</body>
</html>
`;
}

function navigation(current: string): string {
  return [...new Set(entries.map(({ section }) => section))]
    .map((section) => {
      const items = entries
        .filter((entry) => entry.section === section)
        .map(({ path, title }) => {
          const mark = path === current ? ' aria-current="page"' : '';
          return `<li><a href="${path}"${mark}>${escapeHtml(title)}</a></li>`;
        });
      return `<p>${section}</p><ul>${items.join('')}</ul>`;
    })
    .join('\n');
}
