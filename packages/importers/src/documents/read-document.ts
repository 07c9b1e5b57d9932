import type { Capture } from '@recollect/contract';
import { readMail } from './mail.js';
import { readNotebook } from './notebook.js';
import { readWebArchive } from './web-archive.js';

const READERS: readonly [name: RegExp, read: (bytes: Uint8Array) => Promise<Capture | null>][] = [
  [/\.mht(?:ml)?$/i, readWebArchive],
  [/\.eml$/i, readMail],
  [/\.ipynb$/i, readNotebook],
];

/** Whether a file is by its name a saved page, a mail or a notebook. */
export function isDocument(name: string): boolean {
  return READERS.some(([pattern]) => pattern.test(name));
}

/**
 * Reads a saved page (MHTML), a mail (EML) or a Jupyter notebook as a capture without its file name. Null if it is
 * damaged, or by its name something else.
 *
 * @example
 * await readDocument(new TextEncoder().encode('Subject: Tea\n\nSteep it.'), 'tea.eml');
 * // { title: 'Tea', pageText: 'Steep it.', … }
 */
export async function readDocument(bytes: Uint8Array, name: string): Promise<Capture | null> {
  const [, read] = READERS.find(([pattern]) => pattern.test(name)) ?? [];
  try {
    return (await read?.(bytes)) ?? null;
  } catch {
    // Errors of the parsers are the file's fault: it is nested too deeply, or its headers are too long.
    return null;
  }
}
