import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { type ExportItem, readExport, UnreadableExportError } from '@recollect/contract';
import { RecollectError } from '@recollect/core';

/** Bytes in which the beginning of the first line is, also compressed. */
const HEAD = 4_096;
/** The beginning of an export's first line. */
const HEADER = /^\uFEFF?\s*\{\s*"recollect"\s*:\s*"export"/;

/**
 * Opens an export of Recollect, also compressed by gzip; null for another path. Its items throw EXPORT_UNREADABLE for
 * an export of a newer version, or one whose compression is damaged, and the signal's reason.
 */
export async function openRecords(
  path: string,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<ExportItem> | null> {
  if (!(await stat(path)).isFile()) return null;
  const file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0).finally(() => file.close());
  const head = buffer.subarray(0, bytesRead);
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  if (!HEADER.test(isGzip ? beginningOf(head) : head.toString('utf8'))) return null;
  return itemsOf(bytesOf(path, isGzip, signal));
}

/** The text at the beginning of compressed bytes that are cut off. */
function beginningOf(head: Buffer): string {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8');
  } catch {
    return '';
  }
}

async function* itemsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ExportItem> {
  try {
    yield* readExport(bytes);
  } catch (error) {
    if (!(error instanceof UnreadableExportError)) throw error;
    throw new RecollectError('EXPORT_UNREADABLE', `${error.message} Nothing was imported.`, { cause: error });
  }
}

async function* bytesOf(path: string, isGzip: boolean, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(path, { highWaterMark: 256 * 1024 });
  if (signal !== undefined) addAbortSignal(signal, stream);
  try {
    yield* isGzip ? uncompressed(stream) : stream;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    stream.destroy();
  }
}

/** Decompresses a file; of a truncated file, the part that exists. */
async function* uncompressed(bytes: Readable): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  bytes.on('error', (error) => gunzip.destroy(error));
  try {
    yield* bytes.pipe(gunzip);
  } catch (error) {
    const isDamaged = (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true;
    throw isDamaged ? new RecollectError('EXPORT_UNREADABLE', 'The compressed file is damaged.') : error;
  }
}
