import { limits } from '../limits.js';

/**
 * Reads an address, relative to a base if there is one; null if it is invalid. It takes the place of `URL.canParse`,
 * which in Node 22 takes hosts such as `bücher.example` for invalid once some thousand addresses were read: the
 * optimised code reads Latin-1 as UTF-8.
 *
 * @example
 * parseUrl('../tea', 'https://a.example/notes/1')?.href; // 'https://a.example/tea'
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Whether a text is an address that a memory can have: http or https, and not too long. */
export function isPageAddress(text: string): boolean {
  return text.length <= limits.capture.urlLength && /^https?:\/\//i.test(text) && parseUrl(text) !== null;
}

/** Bytes within which the header of a PDF begins. */
const HEAD = 1_024;

/**
 * Whether bytes are a PDF: it says so at its beginning. Where something else says that they are one, such as the name
 * of the file, other bytes may come before, as readers of PDFs allow; else only white space, since a text may mention
 * the mark.
 *
 * @example
 * isPdf(new TextEncoder().encode('%PDF-1.7 …')); // true
 */
export function isPdf(bytes: Uint8Array, { isDeclared = false }: { isDeclared?: boolean } = {}): boolean {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD));
  return isDeclared ? head.includes('%PDF-') : /^\s*%PDF-/.test(head);
}
