import { posix } from 'node:path';
import { Marked } from 'marked';
import { escapeHtml } from './escape-html.js';
import type { DocumentationPage } from './page.js';

/** Images that pages contain, by the ends of their names. */
const IMAGE_TYPES: Readonly<Record<string, string>> = { '.png': 'image/png', '.svg': 'image/svg+xml' };

/**
 * Renders a page from Markdown (GFM). `readImage` returns a PNG file by its path in docs/, and the page inlines it.
 * For other images the page shows the alternative text. Throws if the page does not begin with a title.
 */
export function renderPage(
  markdown: string,
  {
    path,
    section,
    isListed = true,
  }: Pick<DocumentationPage, 'path' | 'section'> & Partial<Pick<DocumentationPage, 'isListed'>>,
  readImage: (path: string) => Buffer | null = () => null,
): DocumentationPage {
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
      // Pages contain only Markdown: HTML is shown as text.
      html: ({ text }) => escapeHtml(text),
      image({ href, text }) {
        const file = posix.join(posix.dirname(path), href);
        const type = IMAGE_TYPES[posix.extname(file)];
        const image = /^[a-z]+:|^\//i.test(href) || type === undefined ? null : readImage(file);
        if (image === null) return escapeHtml(text);
        return `<img src="data:${type};base64,${image.toString('base64')}" alt="${escapeHtml(text)}">`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return {
    path,
    section,
    isListed,
    title,
    html: html.replaceAll('<table>', '<div class="wide"><table>').replaceAll('</table>', '</table></div>'),
  };
}

/** Resolves a link in a page: to another page, to the web, or to null for a file that is not a page. */
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
