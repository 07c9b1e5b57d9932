import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { crc32, createGunzip } from 'node:zlib';
import { createTarDecoder } from 'modern-tar';
import yauzl, { type Entry, type ZipFile } from 'yauzl';

/** A file of an archive or a folder. */
export interface ArchivedFile {
  /** Its name, with the folders that it is in. */
  name: string;
  /** Bytes that it unfolds to. */
  size: number;
  /** When it was changed last; null if that is not known. */
  changedAt: Date | null;
  /** Rejects if the file is damaged, or encrypted. */
  read(): Promise<Buffer>;
}

export interface Archive {
  /** The files up to the fault, in the order of the archive. */
  files: readonly ArchivedFile[];
  /** Why the list of files ends too early; null if it is complete. */
  fault: Error | null;
  close(): void;
}

/** An archive, or a file of one, that only a password opens. */
export class EncryptedError extends Error {
  override readonly name = 'EncryptedError';
}

/** Names are not checked, since nothing is written to them. */
const OPTIONS = { lazyEntries: true, autoClose: false, decodeStrings: false };

export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5);
}

/** Opens a ZIP archive, of a path or in memory, and reads the list of its files. Rejects if there is none. */
export async function openZip(source: string | Buffer): Promise<Archive> {
  const zip =
    typeof source === 'string'
      ? await promisify<string, yauzl.Options, ZipFile>(yauzl.open)(source, OPTIONS)
      : await promisify<Buffer, yauzl.Options, ZipFile>(yauzl.fromBuffer)(source, OPTIONS);
  const files: ArchivedFile[] = [];
  let fault: Error | null = null;
  try {
    for await (const entry of entriesOf(zip)) files.push(toFile(zip, entry));
  } catch (error) {
    fault = error as Error;
  }
  return { files, fault, close: () => zip.close() };
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      const settle = (value: Entry | null) => {
        zip.removeAllListeners();
        resolve(value);
      };
      zip.once('entry', settle);
      zip.once('end', () => settle(null));
      zip.once('error', reject);
      zip.readEntry();
    });
    if (entry === null) return;
    yield entry;
  }
}

/** The flag of a name in UTF-8. */
const UTF_8 = 0x800;

/**
 * The name in the Unicode field of Info-ZIP, else as UTF-8 if its bytes are, since many programs do not set the flag,
 * and else in CP437, which Windows uses.
 */
function entryName({ generalPurposeBitFlag, extraFields, fileName }: Entry): string {
  // Names are not decoded, so they are bytes.
  const bytes = Buffer.from(fileName);
  const flag = isUtf8(bytes) ? generalPurposeBitFlag | UTF_8 : generalPurposeBitFlag & ~UTF_8;
  return yauzl.getFileNameLowLevel(flag, bytes, extraFields, false);
}

function toFile(zip: ZipFile, entry: Entry): ArchivedFile {
  return {
    name: entryName(entry),
    size: entry.uncompressedSize,
    changedAt: entry.getLastModDate(),
    async read() {
      if (entry.isEncrypted()) throw new EncryptedError('It is protected by a password.');
      const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
        zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
      );
      const bytes = await buffer(stream);
      if (crc32(bytes) !== entry.crc32) throw new Error('its checksum is another one');
      return bytes;
    },
  };
}

/** Whether bytes begin as a tar archive does: its mark stands after the name and the numbers of the first file. */
export function isTar(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(257, 262)).toString('latin1') === 'ustar';
}

/**
 * Reads a tar archive, also one in gzip. Its files stand one after the other without a list of them, so those that are
 * wanted are kept in memory; the others have only a name.
 *
 * @param isWanted says which files are kept
 * @param most bytes that are kept in all. The files after them count as damaged
 */
export async function openTar(
  path: string,
  { isWanted, most, isGzip }: { isWanted: (name: string) => boolean; most: number; isGzip: boolean },
): Promise<Archive> {
  const files: ArchivedFile[] = [];
  let fault: Error | null = null;
  let keptBytes = 0;
  const stream = createReadStream(path);
  const bytes = isGzip ? stream.pipe(createGunzip()) : stream;
  stream.on('error', (error) => bytes.destroy(error));
  try {
    const entries = Readable.toWeb(bytes).pipeThrough(createTarDecoder({ strict: true }));
    for await (const { header, body } of entries) {
      if (header.type !== 'file') {
        await body.cancel();
        continue;
      }
      const { name, size } = header;
      const isKept = isWanted(name) && keptBytes + size <= most;
      if (isKept) keptBytes += size;
      const content = isKept ? await buffer(body) : null;
      if (content === null) await body.cancel();
      files.push({
        name,
        size,
        changedAt: header.mtime ?? null,
        async read() {
          if (content === null) throw new Error('the archive is too large');
          return content;
        },
      });
    }
  } catch (error) {
    fault = error as Error;
  } finally {
    stream.destroy();
  }
  if (files.length === 0 && fault !== null) throw fault;
  return { files, fault, close: () => {} };
}
