import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Capture } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import { fetchPage } from './fetch-page.js';

const MAX_BYTES = 16 * 1024 * 1024;

/** Reads a source of `recollect capture`: a URL, a file, or `-` for standard input. */
export async function readSource(source: string): Promise<Capture> {
  if (source === '-') return contentOf(await readText(source));
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
  return { ...contentOf(await readText(source), extname(source)), metadata: { file: basename(source) } };
}

/** Reads the text of a file, or of standard input for `-`, without interpreting it. */
export async function readText(source: string): Promise<string> {
  if (source === '-') return decode(await buffer(process.stdin), 'Standard input');
  const facts = await stat(source).catch(() => null);
  if (facts?.isDirectory()) throw new RecollectError('VALIDATION_FAILED', `${source} is a folder. Pass a file.`);
  if (!facts?.isFile()) {
    const hint = /^[\w-]+(?:\.[\w-]+)+(?:\/|$)/.test(source) ? ` For a web page, write https://${source}.` : '';
    throw new RecollectError('VALIDATION_FAILED', `There is no file ${source}.${hint}`);
  }
  if (facts.size > MAX_BYTES)
    throw new RecollectError('PAYLOAD_TOO_LARGE', `${source} is larger than 16 MiB. Split it.`);
  return decode(await readFile(source), source);
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
