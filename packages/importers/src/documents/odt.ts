import type { Capture } from '@recollect/contract';
import { DomUtils, parseDocument } from 'htmlparser2';
import { htmlToMarkdown } from '../html-to-markdown.js';
import { instantOf } from '../values.js';
import { DocumentError } from './document-error.js';
import { documentTitle } from './document-title.js';
import { odtToHtml } from './odt-to-html.js';
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
