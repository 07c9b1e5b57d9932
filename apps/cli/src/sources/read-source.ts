import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { count, isPdf } from '@recollect/contract/text';
import { RecollectError } from '@recollect/core';
import { explainFileError } from '../transfer/write-file.js';
import { fetchPage, largePdf, pdfContent } from './fetch-page.js';

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads a source of `recollect capture`: a URL, a file, or `-` for standard input. A file is called by its name unless
 * another is given.
 */
export async function readSource(source: string, fileName = basename(source)): Promise<Capture> {
  if (source === '-') return contentOf(await readBytes(source), source);
  if (/^https?:\/\//i.test(source)) {
    // Loaded here: undici takes longer to load than most files to read.
    const { createTypedFetch } = await import('./fetch-page.js');
    const { url, content } = await fetchPage(source, {
      fetch: createTypedFetch(source),
      advice: 'The page redirects there. Nothing was saved. To save that page, type its own address.',
    });
    return { url, captureMode: 'page', ...content };
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(source)) {
    throw new RecollectError(
      'VALIDATION_FAILED',
      'Only http and https URLs, files and - (standard input) can be captured.',
    );
  }
  if (ARCHIVE.test(source) && (await isFile(source)))
    throw invalid(`${source} is an archive. To import what is in it: recollect import ${source}`);
  const content = await contentOf(await readBytes(source), source, extname(source));
  // A pipe has no name that says anything.
  if (await isPipe(source)) return content;
  await refuseExport(source, content.html ?? content.pageText ?? '');
  return { ...content, fileName: shortFileName(fileName) };
}

/** Extensions of the exports of other programs. Their raw text would only get in the way of a search. */
const PERHAPS_EXPORT = /\.(?:jsonl?|csv|html?|txt|enex|opml|zip|jex|tar|tgz|gz)$/i;
const ARCHIVE = /\.(?:zip|jex|tar|tgz|gz)$/i;
const PDF = /\.pdf$/i;
/** Titles of an export that a message names. */
const MAX_REPORTED_TITLES = 3;

/** Throws VALIDATION_FAILED for an export, and says what it contains and how to import it. */
async function refuseExport(source: string, text: string): Promise<void> {
  if (!PERHAPS_EXPORT.test(source)) return;
  const { findImporter, importFile } = await import('@recollect/importers');
  const file = importFile(basename(source), text);
  const importer = findImporter(file);
  if (importer === undefined) return;
  const titles: string[] = [];
  const kinds = new Set<string>();
  for await (const item of importer.read(file)) {
    if (!('capture' in item)) continue;
    titles.push(item.capture.title || (item.capture.url ?? 'Untitled'));
    kinds.add(item.isLink ? 'link' : item.capture.messages != null ? 'conversation' : 'item');
  }
  const kind = kinds.size === 1 ? ([...kinds][0] ?? 'item') : 'item';
  const more = titles.length > MAX_REPORTED_TITLES ? ', …' : '';
  const contents = `${count(titles.length, kind, `${kind}s`)}: ${titles.slice(0, MAX_REPORTED_TITLES).join(', ')}${more}`;
  const commands = `Import it with: recollect import ${source}. To save the raw file instead: recollect capture - < ${source}`;
  throw invalid(`${source} is an export of ${importer.program} with ${contents}. ${commands}`);
}

/** The end of a path that is too long to be kept. */
function shortFileName(path: string): string {
  return path.length <= limits.capture.fileNameLength ? path : basename(path);
}

/** Reads the text of a file, or of standard input for `-`, without interpreting it. */
export async function readText(source: string): Promise<string> {
  const bytes = await readBytes(source);
  if (isPdf(bytes, { isDeclared: PDF.test(source) }))
    throw invalid(`${nameInMessages(source)} is a PDF, not a text. To save it: recollect capture ${source}`);
  return decode(bytes, source);
}

async function readBytes(source: string): Promise<Uint8Array> {
  if (source === '-') return readUpTo(process.stdin, source);
  const facts = await stat(source).catch((error) => {
    if (isDenied(error)) throw explainFileError(error, source);
    return null;
  });
  if (facts?.isDirectory())
    throw invalid(`${source} is a folder. To save the texts in it: recollect capture --recursive ${source}`);
  if (!facts?.isFile() && !facts?.isFIFO()) throw invalid(`There is no file ${source}.${adviceOn(source)}`);
  if (facts.size > MAX_BYTES) throw tooLarge(source);
  return readUpTo(createReadStream(source), source).catch((error) => Promise.reject(explainFileError(error, source)));
}

/** Reads a stream, also one that never ends, and no more of it than can be saved. */
async function readUpTo(stream: AsyncIterable<Uint8Array>, source: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    parts.push(part);
    size += part.length;
    if (size > MAX_BYTES) throw tooLarge(source);
  }
  return Buffer.concat(parts, size);
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true;
}

/** Whether a path leads to what another program writes, as `<(…)` of a shell does. */
async function isPipe(source: string): Promise<boolean> {
  return (await stat(source)).isFIFO();
}

function tooLarge(source: string): RecollectError {
  if (PDF.test(source)) return largePdf(source);
  const advice = PERHAPS_EXPORT.test(source)
    ? ` If another program exported it: recollect import ${source}.`
    : source === '-'
      ? ''
      : ' Split it.';
  return new RecollectError('PAYLOAD_TOO_LARGE', `${nameInMessages(source)} is larger than 16 MiB.${advice}`);
}

function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Suggests a fix for the name of a file that does not exist. */
function adviceOn(source: string): string {
  const host = /^(?<name>localhost|[\w-]+(?:\.[\w-]+)+)(?<port>:\d+)?(?:[/?#]|$)/.exec(source)?.groups;
  if (host !== undefined) {
    const scheme =
      host.port !== undefined || /^(?:localhost|127\.|192\.168\.|10\.)/.test(host.name ?? '') ? 'http' : 'https';
    return ` For a web page, write ${scheme}://${source}.`;
  }
  if (!/\s/.test(source)) return '';
  return ` To save these words as a note: recollect capture --text ${JSON.stringify(source)}`;
}

async function decode(bytes: Uint8Array, source: string): Promise<string> {
  // Loaded only for files and standard input.
  const { declaredCharset, decodeText } = await import('@recollect/importers/decode-text');
  const text = decodeText(bytes, declaredCharset(bytes));
  if (text === null) throw invalid(`${nameInMessages(source)} is neither text nor a PDF.`);
  return text;
}

function nameInMessages(source: string): string {
  return source === '-' ? 'Standard input' : source;
}

async function contentOf(bytes: Uint8Array, source: string, extension = ''): Promise<Capture> {
  if (isPdf(bytes, { isDeclared: PDF.test(source) })) return pdfContent(bytes, nameInMessages(source));
  const document = await readDocument(bytes, source);
  if (document !== null) return document;
  const content = await decode(bytes, source);
  const isHtml = /^\.x?html?$/i.test(extension) || /^\s*(?:<!doctype html|<html[\s>])/i.test(content);
  return isHtml ? { html: content } : { pageText: content };
}

/**
 * A book or another document as a capture; null for other files. A mail or notebook that is damaged is read as the text
 * that it is.
 */
async function readDocument(bytes: Uint8Array, source: string): Promise<Capture | null> {
  const { DocumentError, documentKind, readDocumentFile } = await import('@recollect/importers/read-document-file');
  return readDocumentFile(bytes, source).catch((error) => {
    if (!(error instanceof DocumentError)) throw error;
    if (documentKind(source, bytes) === 'mixed' && bytes.length > 0) return null;
    throw new RecollectError('EXTRACTION_FAILED', `${source}: ${error.message}`, { cause: error });
  });
}

function invalid(sentence: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', sentence);
}
