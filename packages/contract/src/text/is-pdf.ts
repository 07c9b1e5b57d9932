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
