import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { encodeBase64 } from '@recollect/contract/text';

/** Texts that no program exports. */
const DOCUMENT_TEXT = /\.(?:md|markdown|ya?ml|log|tex|org|rst|srt|vtt|[cm]?[jt]sx?|py|rs|go|java|c|h|cpp|sh|sql|css)$/i;
/** Texts that may be exports. */
const DATA = /\.(?:txt|text|csv|tsv|json|xml)$/i;
/** Files that have a text in them. */
const DOCUMENT = /\.(?:mht|mhtml|eml|ipynb)$/i;
const PAGE = /\.x?html?$/i;
const PDF = /\.pdf$/i;
const MEDIA = /^(?:image|audio|video|font)\//;

const isPdf = (file: File) => PDF.test(file.name) || file.type === 'application/pdf';
const isPage = (file: File) => PAGE.test(file.name) || file.type === 'text/html';
const isDocument = (file: File) => DOCUMENT.test(file.name) || DOCUMENT_TEXT.test(file.name);

/**
 * Whether a file may be an export of a program, so that an importer must look at it. Its name alone does not say so.
 */
export function mayBeExport(file: File): boolean {
  return !isPdf(file) && !isDocument(file) && !MEDIA.test(file.type);
}

/** Whether a file can be saved as a memory. */
export function canBeSaved(file: File): boolean {
  return isPdf(file) || isDocument(file) || isPage(file) || DATA.test(file.name) || file.type.startsWith('text/');
}

/** A file as a capture. Throws an error whose message says why it cannot be saved. */
export async function toCapture(file: File): Promise<Capture> {
  if (isPdf(file)) return toPdfCapture(file);
  if (!canBeSaved(file))
    throw new Error(
      'Only text, Markdown, web pages, PDFs, books, office documents, mails, notebooks and exports can be saved.',
    );
  if (file.size > limits.body.bytes) throw new Error('The file is larger than 16 MB.');
  // Loaded only for files, with the detection of encodings.
  const { declaredCharset, decodeText } = await import('@recollect/importers/decode-text');
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (DOCUMENT.test(file.name)) {
    const { readDocument } = await import('@recollect/importers/read-document');
    const document = await readDocument(bytes, file.name);
    if (document !== null) return { ...document, fileName: file.name };
  }
  const content = decodeText(bytes, isPage(file) ? declaredCharset(bytes) : undefined);
  if (content === null) throw new Error('The file is not text.');
  return { ...(isPage(file) ? { html: content } : { pageText: content }), fileName: file.name };
}

async function toPdfCapture(file: File): Promise<Capture> {
  if (file.size > limits.capture.pdfBytes)
    throw new Error(`The PDF is larger than ${limits.capture.pdfBytes / 1_000_000} MB.`);
  return { pdf: encodeBase64(new Uint8Array(await file.arrayBuffer())), fileName: file.name };
}
