import { sliceText } from '@recollect/contract/text';
import type { Article } from '@recollect/core';
import type { DocumentInitParameters, PDFDocumentProxy, TextItem } from 'pdfjs-dist/types/src/display/api.js';
import { removeFurniture } from './furniture.js';
import { joinHyphens } from './join-hyphens.js';
import { hasLettersApart, joinLetters } from './join-letters.js';
import { type Line, linesOf, type PageBox, type Piece } from './lines.js';
import { type Annotation, createFieldReader, type FieldReader } from './read-fields.js';
import { readGlyphs } from './read-glyphs.js';
import { toMarkdown } from './to-markdown.js';

/** Why a PDF has no text that could be saved. The message is a sentence for the user. */
export class PdfProblem extends Error {
  override readonly name = 'PdfProblem';
}

/** Options for reading a document: runs no scripts, and loads only files of the library. */
export type PdfFiles = Pick<DocumentInitParameters, 'cMapUrl' | 'standardFontDataUrl'>;

const OPTIONS = {
  cMapPacked: true,
  disableFontFace: true,
  useSystemFonts: false,
  enableXfa: false,
  stopAtErrors: false,
  verbosity: 0,
} as const satisfies DocumentInitParameters;

/**
 * Reads the text of a PDF as Markdown: paragraphs, headings and lists, without headers and footers. Throws
 * {@link PdfProblem} if it is damaged, protected, or has no text.
 */
export async function readPdf(bytes: Uint8Array, files: PdfFiles): Promise<Article> {
  const document = await open(bytes, files);
  try {
    const pages: Line[][] = [];
    const unreadable: number[] = [];
    const readField = createFieldReader();
    for (let number = 1; number <= document.numPages; number++) {
      // The other pages of a damaged document are worth having.
      const lines = await readPage(document, number, readField).catch(() => {
        unreadable.push(number);
        return [];
      });
      pages.push(lines);
    }
    if (unreadable.length > 0 && pages.every((lines) => lines.length === 0)) throw damaged();
    const lines = joinHyphens(removeFurniture(pages));
    const facts = await readFacts(document);
    const { text, title } = toMarkdown(lines);
    if (!/[\p{L}\p{N}]/u.test(text))
      throw new PdfProblem(
        'The PDF has no text: its pages are pictures. Recognise their text first, for example with ocrmypdf.',
      );
    return { title: facts.title || title, text, metadata: facts.metadata, ...warningOf(unreadable) };
  } finally {
    await document.loadingTask.destroy();
  }
}

async function open(data: Uint8Array, files: PdfFiles): Promise<PDFDocumentProxy> {
  const { getDocument } = await loadLibrary();
  try {
    return await getDocument({ ...OPTIONS, ...files, data }).promise;
  } catch (error) {
    if ((error as Error).name === 'PasswordException')
      throw new PdfProblem('The PDF is protected by a password. Save a copy without it first.');
    throw damaged(error);
  }
}

function damaged(cause?: unknown): PdfProblem {
  return new PdfProblem('The PDF is damaged or incomplete.', { cause });
}

/** Pages that a warning names, at most. */
const NAMED = 10;

function warningOf(unreadable: readonly number[]): Pick<Article, 'warning'> {
  if (unreadable.length === 0) return {};
  const named = new Intl.ListFormat('en').format(unreadable.slice(0, NAMED).map(String));
  const more = unreadable.length > NAMED ? ' and others' : '';
  return { warning: `The PDF is damaged: its text lacks page ${named}${more}.` };
}

/** Loading the library needs a browser class that only drawing uses. */
async function loadLibrary(): Promise<typeof import('pdfjs-dist')> {
  const { DOMMatrix = class {} } = globalThis as { DOMMatrix?: unknown };
  Object.assign(globalThis, { DOMMatrix });
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}

async function readPage(document: PDFDocumentProxy, number: number, readField: FieldReader): Promise<Line[]> {
  const page = await document.getPage(number);
  const { items, styles } = await page.getTextContent();
  const annotations = (await page.getAnnotations().catch(() => [])) as Annotation[];
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  const toPiece = ({ str, transform, width, fontName }: TextItem): Piece => {
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform as number[];
    const turns = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;
    const isCode = styles[fontName]?.fontFamily === 'monospace';
    return { text: str, x, y, width, size: Math.hypot(c, d), turns, isCode };
  };
  const pieces = items.flatMap((item) => ('str' in item ? [toPiece(item)] : []));
  const box = { page: number, left, bottom, right, top };
  const { OPS } = await loadLibrary();
  const joined = hasLettersApart(pieces) ? joinLetters(pieces, await readGlyphs(page, OPS).catch(() => [])) : pieces;
  page.cleanup();
  return [...linesOf(joined, box), ...annotations.flatMap((annotation) => fieldLines(annotation, box, readField))];
}

/** A field is a line after the text of its page. */
function fieldLines(annotation: Annotation, box: PageBox, readField: FieldReader): Line[] {
  const text = readField(annotation);
  if (text === '') return [];
  const [x = 0, y = 0, right = 0] = annotation.rect ?? [];
  const lines = linesOf([{ text, x, y, width: right - x, size: 10, turns: 0, isCode: false }], box);
  return lines.map((line) => ({ ...line, isRow: true }));
}

/** Maximum length of a document's metadata fields. */
const LONGEST = 300;

/** The metadata of the document. */
async function readFacts(document: PDFDocumentProxy): Promise<Pick<Article, 'title' | 'metadata'>> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  const said = info as Readonly<Record<string, unknown>>;
  const field = (name: string) =>
    typeof said[name] === 'string'
      ? sliceText((said[name] as string).replace(/[\s\p{Cc}]+/gu, ' ').trim(), 0, LONGEST)
      : '';
  const facts = {
    author: field('Author'),
    published: dateOf(field('CreationDate')),
    language: /^[a-z]{2,3}(?:-[a-z\d]+)*$/i.test(field('Language')) ? field('Language') : '',
  };
  return {
    title: isTitle(field('Title')) ? field('Title') : '',
    metadata: Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== '')),
  };
}

/** Placeholder titles that programs write: file names, or the program's own name. */
const NO_TITLE =
  /^(?:untitled\b.*|microsoft (?:word|powerpoint) ?-.*|powerpoint[ -]pr[eäé]\S+|présentation powerpoint|(?:document|dokument|slide|folie)\s*\d*|https?:\S*|.*\.(?:docx?|pptx?|xlsx?|tex|dvi|indd|pdf|odt|rtf|html?|qxd))$/i;

function isTitle(title: string): boolean {
  return /\p{L}.*\p{L}/u.test(title) && !NO_TITLE.test(title);
}

/** `D:20040426103100+02'00'` as a day; empty if it is none. */
function dateOf(text: string): string {
  const [, year = '', month = '01', day = '01'] = /^D:(\d{4})(\d\d)?(\d\d)?/.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  return year !== '' && !Number.isNaN(Date.parse(date)) ? date : '';
}
