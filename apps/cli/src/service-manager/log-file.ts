import { basename, dirname } from 'node:path';
import { createStream } from 'rotating-file-stream';

/** A file of messages is renamed at this size, and this many previous ones are kept. */
const ROTATION = { size: '5M', maxFiles: 5 } as const;

/** Writes what this process prints to a file instead, which is rotated. Each line begins with its time. */
export function logTo(path: string): void {
  const stream = createStream(basename(path), { path: dirname(path), ...ROTATION });
  // A full disk must not end the server, which says so where people look.
  stream.on('error', () => {});
  const write = (chunk: string | Uint8Array): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const time = new Date().toISOString();
    for (const line of text.split('\n')) if (line !== '') stream.write(`${time} ${line}\n`);
    return true;
  };
  process.stdout.write = write as typeof process.stdout.write;
  process.stderr.write = write as typeof process.stderr.write;
}
