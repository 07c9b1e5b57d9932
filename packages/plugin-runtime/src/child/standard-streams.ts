import { writeSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';

/**
 * Replaces the standard streams of this process by plain streams. Node's own are sockets where the descriptors are
 * pipes, and `process.stdout.constructor` would give a plugin the class that connects. Output beyond the limit that
 * `countOutput` knows is dropped.
 */
export function replaceStandardStreams(countOutput: (text: string) => boolean): void {
  const streams = { stdin: Readable.from([]), stdout: openOutput(1, countOutput), stderr: openOutput(2, countOutput) };
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: false, writable: false, enumerable: true });
  }
}

function openOutput(fd: number, countOutput: (text: string) => boolean): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const text = String(chunk);
      try {
        if (countOutput(text)) writeSync(fd, text);
      } catch {
        // The host closed its end. The process ends with its channel.
      }
      done();
    },
  });
  return Object.assign(stream, { fd });
}
