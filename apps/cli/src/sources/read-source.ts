import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '@recollect/core';
import { explainFileError } from '../transfer/explain-file-error.js';
import { fetchPage } from './fetch-page.js';

const MAX_BYTES = 16 * 1024 * 1024;

/** Reads a source of `recollect capture`: a URL, a file, or `-` for standard input. A file is called by its name unless another is given. */
export async function readSource(source: string, fileName = basename(source)): Promise<Capture> {
  if (source === '-') return contentOf(await readText(source));
  if (/^https?:\/\//i.test(source)) {
    const { url, text: page, isHtml } = await fetchPage(source);
    return { url, captureMode: 'page', ...(isHtml ? { html: page } : { pageText: page }) };
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(source)) {
    throw new RecollectError(
      'VALIDATION_FAILED',
      'Only http and https URLs, files and - (standard input) can be captured.',
    );
  }
  const text = await readText(source);
  // A pipe has no name that says anything.
  if (await isPipe(source)) return contentOf(text);
  await refuseExport(source, text);
  return { ...contentOf(text, extname(source)), fileName: nameOf(fileName) };
}

/** Extensions of the exports of other programs. Their raw text would only get in the way of a search. */
const PERHAPS_EXPORT = /\.(?:jsonl?|csv|html?|txt|enex)$/i;

async function refuseExport(source: string, text: string): Promise<void> {
  if (!PERHAPS_EXPORT.test(source)) return;
  const { findImporter, importFile } = await import('@recollect/importers');
  const importer = findImporter(importFile(basename(source), text));
  if (importer === undefined) return;
  const commands = `Import it with: recollect import ${source}. To save the raw file instead: recollect capture - < ${source}`;
  throw invalid(`${source} is an export of ${importer.program}. ${commands}`);
}

/** The end of a path that is too long to be kept. */
function nameOf(path: string): string {
  return path.length <= limits.capture.fileNameLength ? path : basename(path);
}

/** Reads the text of a file, or of standard input for `-`, without interpreting it. */
export async function readText(source: string): Promise<string> {
  if (source === '-') return decode(await buffer(process.stdin), 'Standard input');
  const facts = await stat(source).catch((error) => {
    if (isDenied(error)) throw explainFileError(error, source);
    return null;
  });
  if (facts?.isDirectory())
    throw invalid(`${source} is a folder. To save the texts in it: recollect capture --recursive ${source}`);
  if (!facts?.isFile() && !facts?.isFIFO()) throw invalid(`There is no file ${source}.${adviceOn(source)}`);
  if (facts.size > MAX_BYTES) throw tooLarge(source);
  const bytes = await readFile(source).catch((error) => Promise.reject(explainFileError(error, source)));
  if (bytes.length > MAX_BYTES) throw tooLarge(source);
  return decode(bytes, source);
}

/** Whether a path leads to what another program writes, as `<(…)` of a shell does. */
async function isPipe(source: string): Promise<boolean> {
  return (await stat(source)).isFIFO();
}

function tooLarge(source: string): RecollectError {
  return new RecollectError('PAYLOAD_TOO_LARGE', `${source} is larger than 16 MiB. Split it.`);
}

function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** What was probably meant by the name of a file that does not exist. */
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
  if (Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-')
    throw invalid(`${source} is a PDF, which cannot be read yet. Save its text instead, for example with pdftotext.`);
  // Loaded for files and standard input alone.
  const { declaredCharset, decodeText } = await import('@recollect/importers/decode-text');
  const text = decodeText(bytes, declaredCharset(bytes));
  if (text === null) throw invalid(`${source} is not text.`);
  return text;
}

function contentOf(content: string, extension = ''): Capture {
  const isHtml = /^\.x?html?$/i.test(extension) || /^\s*(?:<!doctype html|<html[\s>])/i.test(content);
  return isHtml ? { html: content } : { pageText: content };
}

function invalid(sentence: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', sentence);
}
