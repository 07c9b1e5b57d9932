import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Capture } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import { fetchPage } from './fetch-page.js';

const MAX_BYTES = 16 * 1024 * 1024;

/** Reads a source of `recollect capture`: a URL, a file, or `-` for standard input. */
export async function readSource(source: string): Promise<Capture> {
  if (source === '-') return contentOf(decode(await buffer(process.stdin), 'Standard input'));
  if (/^https?:\/\//i.test(source)) {
    const { text: page, isHtml } = await fetchPage(source);
    return { url: source, captureMode: 'page', ...(isHtml ? { html: page } : { pageText: page }) };
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(source)) {
    throw new RecollectError(
      'VALIDATION_FAILED',
      'Only http and https URLs, files and - (standard input) can be captured.',
    );
  }
  return readTextFile(source);
}

async function readTextFile(path: string): Promise<Capture> {
  const facts = await stat(path).catch(() => null);
  if (facts?.isDirectory()) throw new RecollectError('VALIDATION_FAILED', `${path} is a folder. Pass the files in it.`);
  if (!facts?.isFile()) {
    const hint = /^[\w-]+(?:\.[\w-]+)+(?:\/|$)/.test(path) ? ` For a web page, write https://${path}.` : '';
    throw new RecollectError('VALIDATION_FAILED', `There is no file ${path}.${hint}`);
  }
  if (facts.size > MAX_BYTES) throw new RecollectError('PAYLOAD_TOO_LARGE', `${path} is larger than 16 MiB. Split it.`);
  const capture = contentOf(decode(await readFile(path), path), extname(path));
  return { ...capture, metadata: { file: basename(path) } };
}

function decode(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RecollectError('VALIDATION_FAILED', `${source} is not UTF-8 text.`);
  }
}

function contentOf(content: string, extension = ''): Capture {
  const isHtml = /^\.x?html?$/i.test(extension) || /^\s*(?:<!doctype html|<html[\s>])/i.test(content);
  return isHtml ? { html: content } : { pageText: content };
}
