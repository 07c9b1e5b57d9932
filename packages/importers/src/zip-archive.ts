import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { type Archive, type ArchivedFile, EncryptedError } from './archive.js';

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
function nameOf({ generalPurposeBitFlag, extraFields, fileName }: Entry): string {
  // Names are not decoded, so they are bytes.
  const bytes = Buffer.from(fileName);
  const flag = isUtf8(bytes) ? generalPurposeBitFlag | UTF_8 : generalPurposeBitFlag & ~UTF_8;
  return yauzl.getFileNameLowLevel(flag, bytes, extraFields, false);
}

function toFile(zip: ZipFile, entry: Entry): ArchivedFile {
  return {
    name: nameOf(entry),
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
