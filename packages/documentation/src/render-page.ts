import { posix } from 'node:path';
import { Marked } from 'marked';
import { escapeHtml } from './escape-html.js';
import type { Page } from './page.js';

/** A page from its Markdown (GFM). Throws when it does not begin with a title. */
export function renderPage(markdown: string, { path, section }: Pick<Page, 'path' | 'section'>): Page {
  const title = /^# (.+)$/m.exec(markdown)?.[1];
  if (title === undefined || !markdown.startsWith('# '))
    throw new Error(`docs/${path}.md does not begin with a title.`);
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const target = resolveLink(path, href);
        const text = this.parser.parseInline(tokens);
        return target === null ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      // Pages hold Markdown alone: what looks like HTML is shown as it stands.
      html: ({ text }) => escapeHtml(text),
      image: ({ text }) => escapeHtml(text),
    },
  });
  const html = marked.parse(markdown, { async: false });
  return {
    path,
    section,
    title,
    html: html.replaceAll('<table>', '<div class="wide"><table>').replaceAll('</table>', '</table></div>'),
  };
}

/** Where a link leads from a page: to another page, to the web, or, for files that are no pages, nowhere. */
export function resolveLink(from: string, href: string): string | null {
  if (/^https?:\/\//.test(href) || href.startsWith('#') || href.startsWith('/')) return href;
  const [file = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(from), file);
  if (target.startsWith('..') || !target.endsWith('.md')) return null;
  return `/docs/${target.slice(0, -'.md'.length)}${anchor === undefined ? '' : `#${anchor}`}`;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
