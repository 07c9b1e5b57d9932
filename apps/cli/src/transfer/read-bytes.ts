import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { RecollectError } from '@recollect/core';
import { explainFileError } from './explain-file-error.js';

export interface ByteSource {
  bytes: AsyncIterable<Uint8Array>;
  /** The size of the file; 0 if it is not known. */
  size: number;
  /** How many bytes of the file have been read. */
  position(): number;
  /** Whether it is a file, which can be read again. */
  isFile: boolean;
}

/**
 * Reads a file, or standard input for `-`, as a stream. It is uncompressed if it is a gzip file, whatever its name. The signal ends
 * the reading, also while it waits for input.
 */
export async function openBytes(source: string, signal: AbortSignal): Promise<ByteSource> {
  let position = 0;
  const facts =
    source === '-' ? null : await stat(source).catch((error) => Promise.reject(explainFileError(error, source)));
  if (facts?.isDirectory())
    throw new RecollectError('VALIDATION_FAILED', `${source} is a folder. Pass the file of an export.`);
  const counted = async function* () {
    // Opened here, where its errors are caught.
    const stream = source === '-' ? process.stdin : createReadStream(source, { highWaterMark: 256 * 1024 });
    try {
      addAbortSignal(signal, stream);
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        position += chunk.length;
        yield chunk;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw explainFileError(error, source);
    }
  };
  const isFile = facts?.isFile() ?? false;
  return { bytes: uncompressed(counted()), size: facts?.size ?? 0, position: () => position, isFile };
}

async function* uncompressed(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { value: first, done } = await bytes.next();
  if (done) return;
  const all = async function* () {
    yield first;
    yield* bytes;
  };
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  if (!isGzip) {
    yield* all();
    return;
  }
  // A file that was cut off yields what is there.
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  const source = Readable.from(all());
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip);
  } catch (error) {
    const isDamaged = (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true;
    throw isDamaged ? new RecollectError('EXPORT_UNREADABLE', 'The compressed file is damaged.') : error;
  } finally {
    source.destroy();
  }
}
