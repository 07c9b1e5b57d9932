import { isPdf } from '@recollect/contract/text';
import { isDocument } from './read-document.js';

/** The kind of a document, which decides how it is read. */
export type DocumentKind = 'epub' | 'docx' | 'odt' | 'pdf' | 'mixed';

const BY_NAME: readonly [RegExp, DocumentKind][] = [
  [/\.epub$/i, 'epub'],
  [/\.(?:docx?|docm|dotx|dotm)$/i, 'docx'],
  [/\.(?:odt|ott)$/i, 'odt'],
  [/\.pdf$/i, 'pdf'],
];
/** Where the first file of a ZIP archive has its name, which in these formats is "mimetype", and then its content. */
const MIME_TYPE = /^PK.{28}mimetype(?<type>[\w/.+-]*)/s;
const BY_TYPE: Readonly<Record<string, DocumentKind>> = {
  'application/epub+zip': 'epub',
  'application/vnd.oasis.opendocument.text': 'odt',
};

/**
 * The kind of document of a file, by its content, and else by its name; null if it is not a document. `mixed` are saved
 * pages, mails and notebooks.
 *
 * @param head its first bytes; by the name if there are none
 * @example
 * documentKind('tea.docx'); // 'docx'
 */
export function documentKind(name: string, head: Uint8Array = new Uint8Array()): DocumentKind | null {
  if (isPdf(head, { isDeclared: /\.pdf$/i.test(name) })) return 'pdf';
  const type = MIME_TYPE.exec(Buffer.from(head.subarray(0, 128)).toString('latin1'))?.groups?.type ?? '';
  const byType = Object.entries(BY_TYPE).find(([prefix]) => type.startsWith(prefix))?.[1];
  if (byType !== undefined) return byType;
  const byName = BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  return byName ?? (isDocument(name) ? 'mixed' : null);
}

/** Whether a file is a document that is read as a whole, and no export. */
export function isDocumentFile(name: string, head?: Uint8Array): boolean {
  return documentKind(name, head) !== null;
}
