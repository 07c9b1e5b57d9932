import { type Archive, type ArchivedFile, openZip } from '../archive.js';

import { DocumentError } from './document.js';

/** Bytes that the parts of a document may unfold to that are read: a long book has one or two millions. */
const MAX_PART_BYTES = 200_000_000;

/** The parts of a document that is a ZIP archive. */
export interface ZippedParts {
  has(name: string): boolean;
  /** The text of a part; null if the document lacks it. Throws {@link DocumentError}. */
  read(name: string): Promise<string | null>;
}

/** Opens a document that is a ZIP archive. Throws {@link DocumentError} if it is none. */
export async function openParts(bytes: Uint8Array): Promise<ZippedParts> {
  const archive = await openZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).catch(() => null);
  if (archive === null || archive.fault !== null) throw new DocumentError(explain(bytes, archive));
  const files = new Map<string, ArchivedFile>(archive.files.map((file) => [file.name, file]));
  let left = MAX_PART_BYTES;
  return {
    has: (name) => files.has(name),
    async read(name) {
      const file = files.get(name);
      if (file === undefined) return null;
      left -= file.size;
      if (left < 0) throw new DocumentError('Its text unfolds to more than 200 MB.');
      const content = await file.read().catch((error) => {
        throw new DocumentError(`It is damaged: ${(error as Error).message}.`, { cause: error });
      });
      return new TextDecoder(encodingOf(content)).decode(content);
    },
  };
}

/** Encrypted documents of Office, and documents of versions before 2007, are not archives. */
const COMPOUND_FILE = 'd0cf11e0a1b11ae1';

function explain(bytes: Uint8Array, archive: Archive | null): string {
  if (bytes.length === 0) return 'It is empty.';
  if (Buffer.from(bytes.subarray(0, 8)).toString('hex') === COMPOUND_FILE)
    return 'It is protected by a password, or in the format before 2007. Save it as DOCX without a password first.';
  return `It is damaged or incomplete${archive === null ? ', or no such document' : ''}.`;
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}
