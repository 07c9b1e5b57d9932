import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { explainFileError } from './explain-file-error.js';

/**
 * Reads a pipe, or standard input for `-`, as a stream. The signal ends the reading, also while it waits for input,
 * with the signal's reason. Throws the errors of the system as sentences.
 */
export async function* openStream(source: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stream = source === '-' ? process.stdin : createReadStream(source, { highWaterMark: 256 * 1024 });
  try {
    addAbortSignal(signal, stream);
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    signal.throwIfAborted();
    throw explainFileError(error, source);
  }
}
