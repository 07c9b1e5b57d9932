import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { DocumentError } from './document.js';
import { documentKind } from './kinds.js';
import { readDocument } from './read-document.js';

export { DocumentError } from './document.js';
export { documentKind, isDocumentFile } from './kinds.js';

/**
 * Reads a document as a capture without its file name: a book (EPUB), a document of an office program (DOCX, ODT), a
 * saved page, a mail or a notebook. A PDF is returned unchanged; its text is read when it is saved. Null if the file is
 * not a document. Throws {@link DocumentError} for one that is damaged or protected.
 *
 * @example
 * const bytes = new TextEncoder().encode('Subject: Tea\n\nSteep it.');
 * await readDocumentFile(bytes, 'tea.eml'); // { title: 'Tea', pageText: 'Steep it.', … }
 */
export async function readDocumentFile(bytes: Uint8Array, name: string): Promise<Capture | null> {
  const kind = documentKind(name, bytes);
  if (kind === null) return null;
  if (bytes.length === 0) throw new DocumentError('It is empty.');
  try {
    return await read(kind, bytes, name);
  } catch (error) {
    // Libraries call themselves for each level.
    if (error instanceof RangeError) throw new DocumentError('It is nested too deep.', { cause: error });
    throw error;
  }
}

async function read(
  kind: NonNullable<ReturnType<typeof documentKind>>,
  bytes: Uint8Array,
  name: string,
): Promise<Capture> {
  // Each is loaded for its files only.
  switch (kind) {
    case 'epub':
      return (await import('./epub.js')).readBook(bytes);
    case 'docx':
      return (await import('./docx.js')).readWordDocument(bytes);
    case 'odt':
      return (await import('./odt.js')).readOpenDocument(bytes);
    case 'pdf':
      return pdfCapture(bytes);
    case 'mixed': {
      const document = await readDocument(bytes, name);
      if (document === null) throw new DocumentError('It is damaged, or not what its name says.');
      return document;
    }
  }
}

function pdfCapture(bytes: Uint8Array): Capture {
  if (bytes.length > limits.capture.pdfBytes)
    throw new DocumentError(
      `It is larger than ${limits.capture.pdfBytes / 1_000_000} MB. Save its text instead, for example with pdftotext.`,
    );
  return { pdf: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64') };
}
