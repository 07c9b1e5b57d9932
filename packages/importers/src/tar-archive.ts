import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { createTarDecoder } from 'modern-tar';
import type { Archive, ArchivedFile } from './archive.js';

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
  let kept = 0;
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
      const isKept = isWanted(name) && kept + size <= most;
      if (isKept) kept += size;
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
