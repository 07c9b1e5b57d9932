import type { Capture } from '@recollect/contract';
import { DomUtils, parseDocument } from 'htmlparser2';
import { htmlToMarkdown } from '../html-to-markdown.js';
import { instantOf } from '../values.js';
import { DocumentError, documentTitle } from './document.js';

import { openParts, type ZippedParts } from './zipped-parts.js';

const PROPERTIES = 'docProps/core.xml';

/**
 * Reads a document of Word (DOCX) as Markdown, without its pictures. Throws {@link DocumentError} for one that is
 * damaged, or protected by a password.
 */
export async function readWordDocument(bytes: Uint8Array): Promise<Capture> {
  const parts = await openParts(bytes);
  const { default: mammoth } = await import('mammoth');
  const { value: html } = await mammoth
    .convertToHtml(asInput(parts), {
      styleMap: ["p[style-name='Title'] => h1:fresh"],
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    })
    .catch((error) => {
      if (error instanceof DocumentError || error instanceof RangeError) throw error;
      throw new DocumentError('It is damaged, or no document of Word.', { cause: error });
    });
  const text = htmlToMarkdown(html.replace(/<img\b[^<>]*>/g, '')).trim();
  if (text === '') throw new DocumentError('It has no text.');
  const properties = parseDocument((await parts.read(PROPERTIES)) ?? '', { xmlMode: true });
  const property = (name: string) => {
    const [element] = DomUtils.getElementsByTagName(name, properties);
    return element === undefined ? '' : DomUtils.textContent(element).trim();
  };
  const author = property('dc:creator');
  return {
    pageText: text,
    title: documentTitle(property('dc:title'), text),
    captureMode: 'page',
    metadata: author === '' ? {} : { author },
    capturedAt: instantOf(property('dcterms:modified')) ?? instantOf(property('dcterms:created')) ?? null,
  };
}

/**
 * The parts as the library reads them. It also opens archives itself, but without a limit on their uncompressed size,
 * so it gets the parts that are read here. Its types do not name this input.
 */
function asInput(parts: ZippedParts): { buffer: Buffer } {
  const file = {
    exists: parts.has,
    async read(name: string, encoding?: string) {
      // Only pictures are read as bytes, and those are left out.
      return encoding === undefined ? new Uint8Array() : ((await parts.read(name)) ?? '');
    },
  };
  return { file } as unknown as { buffer: Buffer };
}
