import type { Capture } from '@recollect/contract';
import { DomUtils, Parser, parseDocument } from 'htmlparser2';
import { htmlToMarkdown } from '../html-to-markdown.js';
import { instantOf } from '../values.js';
import { DocumentError, documentTitle } from './document.js';

import { openParts } from './zipped-parts.js';

/**
 * Reads an OpenDocument text (ODT), which LibreOffice writes, as Markdown. Throws {@link DocumentError} for one that is
 * damaged, or protected by a password.
 */
export async function readOpenDocument(bytes: Uint8Array): Promise<Capture> {
  const parts = await openParts(bytes);
  const manifest = (await parts.read('META-INF/manifest.xml')) ?? '';
  if (/<(?:\w+:)?encryption-data\b/.test(manifest))
    throw new DocumentError('It is protected by a password. Save a copy without it first.');
  const content = await parts.read('content.xml');
  if (content === null) throw new DocumentError('It is damaged, or no OpenDocument text.');
  const text = htmlToMarkdown(odtToHtml(content)).trim();
  if (text === '') throw new DocumentError('It has no text.');
  const meta = parseDocument((await parts.read('meta.xml')) ?? '', { xmlMode: true });
  const property = (name: string) => {
    const [element] = DomUtils.getElementsByTagName(name, meta);
    return element === undefined ? '' : DomUtils.textContent(element).trim();
  };
  const author = property('dc:creator') || property('meta:initial-creator');
  return {
    pageText: text,
    title: documentTitle(property('dc:title'), text),
    captureMode: 'page',
    metadata: author === '' ? {} : { author },
    capturedAt: instantOf(property('dc:date')) ?? instantOf(property('meta:creation-date')) ?? null,
  };
}

/** Elements of OpenDocument and their HTML elements; of others, only the content is read. */
const ELEMENTS: Readonly<Record<string, string>> = {
  'text:p': 'p',
  'text:list': 'ul',
  'text:list-item': 'li',
  'text:list-header': 'li',
  'table:table': 'table',
  'table:table-row': 'tr',
  'table:table-cell': 'td',
};
/** Elements that are not text: deleted passages, forms, the table of contents, and the marks of notes. */
const LEFT_OUT = new Set([
  'text:tracked-changes',
  'text:table-of-content',
  'text:note-citation',
  'office:forms',
  'office:annotation',
  'text:sequence-decls',
  'svg:title',
  'svg:desc',
]);

/**
 * Converts the content of an OpenDocument text to HTML: headings, paragraphs, lists, tables, links, bold and italic
 * passages, and notes in parentheses. No well-kept library reads this format into more than plain text.
 */
function odtToHtml(content: string): string {
  const parts: string[] = [];
  const ends: string[] = [];
  const styles = new Map<string, string[]>();
  let style = '';
  let hidden = 0;
  let isText = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (LEFT_OUT.has(name) || hidden > 0) {
          hidden += 1;
          ends.push('');
          return;
        }
        if (name === 'office:text') isText = true;
        if (name === 'style:style') style = attributes['style:name'] ?? '';
        if (name === 'style:text-properties' && style !== '') styles.set(style, marksOf(attributes));
        const [start, end] = isText ? tagsOf(name, attributes, styles) : ['', ''];
        parts.push(start);
        ends.push(end);
      },
      ontext(text) {
        if (isText && hidden === 0) parts.push(escapeHtml(text.replace(/\s+/g, ' ')));
      },
      onclosetag(name) {
        const end = ends.pop() ?? '';
        if (hidden > 0) hidden -= 1;
        else parts.push(end);
        if (name === 'style:style') style = '';
        if (name === 'office:text') isText = false;
      },
    },
    { xmlMode: true },
  );
  parser.end(content);
  return parts.join('');
}

type Attributes = Readonly<Record<string, string>>;

function tagsOf(name: string, attributes: Attributes, styles: ReadonlyMap<string, string[]>): [string, string] {
  if (name === 'text:h') {
    const level = Math.min(6, Math.max(1, Number(attributes['text:outline-level']) || 1));
    return [`<h${level}>`, `</h${level}>`];
  }
  if (name === 'text:a') return [`<a href="${escapeHtml(attributes['xlink:href'] ?? '')}">`, '</a>'];
  if (name === 'text:span') {
    const marks = styles.get(attributes['text:style-name'] ?? '') ?? [];
    return [
      marks.map((mark) => `<${mark}>`).join(''),
      [...marks]
        .reverse()
        .map((mark) => `</${mark}>`)
        .join(''),
    ];
  }
  if (name === 'text:note') return [' (', ')'];
  if (name === 'text:s') return [' '.repeat(Math.min(100, Number(attributes['text:c']) || 1)), ''];
  if (name === 'text:tab') return [' ', ''];
  if (name === 'text:line-break') return ['<br>', ''];
  const element = ELEMENTS[name];
  return element === undefined ? ['', ''] : [`<${element}>`, `</${element}>`];
}

function marksOf(attributes: Attributes): string[] {
  const isBold = /^(?:bold|[6-9]00)$/.test(attributes['fo:font-weight'] ?? '');
  return [...(isBold ? ['strong'] : []), ...(attributes['fo:font-style'] === 'italic' ? ['em'] : [])];
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
