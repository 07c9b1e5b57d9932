import type { Capture } from '@recollect/contract';
import type { Document, Element } from 'domhandler';
import { DomUtils, parseDocument } from 'htmlparser2';
import { htmlToMarkdown } from '../html-to-markdown.js';
import { DocumentError } from './document.js';
import { openParts, type ZippedParts } from './zipped-parts.js';

const PAGE = /xhtml|html/i;
/** Files that may be encrypted in books without protection: fonts. */
const FONT = /\.(?:otf|ttf|woff2?)$/i;

/**
 * Reads an EPUB as Markdown: its chapters in the order of reading, without its table of contents. Throws {@link
 * DocumentError} for one that is damaged or protected.
 */
export async function readBook(bytes: Uint8Array): Promise<Capture> {
  const parts = await openParts(bytes);
  const container = parse(await parts.read('META-INF/container.xml'));
  const path = named(container, 'rootfile')[0]?.attribs['full-path'];
  const opf = path === undefined ? null : await parts.read(path);
  if (path === undefined || opf === null) throw new DocumentError('It is damaged, or no EPUB.');
  const book = parse(opf);
  const texts: string[] = [];
  const isEncrypted = await encryptedIn(parts);
  const pages = pagesOf(book, path);
  for (const page of pages) {
    if (isEncrypted.has(page))
      throw new DocumentError('It is protected by its seller (DRM), so its text cannot be read.');
    const text = htmlToMarkdown(bodyOf((await parts.read(page)) ?? '')).trim();
    if (text !== '') texts.push(text);
  }
  if (texts.length === 0) throw new DocumentError('It has no text: its pages are pictures.');
  const [title = '', author, publisher, language, published] = [
    textOf(book, 'title')[0],
    textOf(book, 'creator').join(', '),
    textOf(book, 'publisher')[0],
    textOf(book, 'language')[0],
    textOf(book, 'date')[0],
  ];
  const isbn = textOf(book, 'identifier')
    .map(isbnIn)
    .find((number) => number !== null);
  return {
    pageText: texts.join('\n\n'),
    title: title || null,
    captureMode: 'page',
    metadata: {
      ...(author ? { author } : {}),
      ...(publisher ? { publisher } : {}),
      ...(language ? { language } : {}),
      ...(published ? { published } : {}),
      ...(isbn ? { isbn } : {}),
    },
  };
}

/** The names of the pages, in the order of reading. Those beside it, such as a cover's, come at the end. */
function pagesOf(book: Document, path: string): string[] {
  const items = new Map(named(book, 'item').map((item) => [item.attribs.id, item]));
  const itemrefs = named(book, 'itemref');
  const order = [
    ...itemrefs.filter(({ attribs }) => attribs.linear !== 'no'),
    ...itemrefs.filter(({ attribs }) => attribs.linear === 'no'),
  ];
  const folder = new URL(path, BASE);
  return order.flatMap(({ attribs }) => {
    const item = items.get(attribs.idref)?.attribs;
    const isPage = PAGE.test(item?.['media-type'] ?? '') && !/\bnav\b/.test(item?.properties ?? '');
    const address = isPage ? URL.parse(item?.href ?? '', folder.href) : null;
    return address === null ? [] : [partName(address)];
  });
}

/** Names in a book are addresses, relative to the file that they are in. */
const BASE = 'file:///';

function partName({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return pathname.slice(1);
  }
}

async function encryptedIn(parts: ZippedParts): Promise<ReadonlySet<string>> {
  const encryption = parse(await parts.read('META-INF/encryption.xml'));
  const names = named(encryption, 'CipherReference').map(({ attribs }) => partName(new URL(attribs.URI ?? '', BASE)));
  return new Set(names.filter((name) => !FONT.test(name)));
}

function bodyOf(page: string): string {
  // The parser ignores the tags that end the page.
  const start = /<body\b[^<>]*>/i.exec(page);
  return start === null ? page : page.slice(start.index + start[0].length);
}

function isbnIn(identifier: string): string | null {
  const number = identifier.replace(/^urn:isbn:|^isbn:?/i, '').replace(/[-\s]/g, '');
  return /^(?:97[89])?\d{9}[\dx]$/i.test(number) ? number : null;
}

function parse(xml: string | null): Document {
  return parseDocument(xml ?? '', { xmlMode: true });
}

/** Elements by their names without prefixes. */
function named(document: Document, name: string): Element[] {
  const isNamed = (tagName: string) => tagName === name || tagName.endsWith(`:${name}`);
  return DomUtils.getElementsByTagName(isNamed, document);
}

function textOf(document: Document, name: string): string[] {
  const texts = named(document, name).map((element) => DomUtils.textContent(element).replace(/\s+/g, ' ').trim());
  return texts.filter((text) => text !== '');
}
