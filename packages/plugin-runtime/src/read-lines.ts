import type { Readable } from 'node:stream';

/**
 * Reads a stream line by line. Calls `tooLong` when an unfinished line exceeds `most` characters, and drops that part.
 */
export function readLines(
  stream: Readable,
  most: number,
  { onLine, onTooLong }: { onLine: (line: string) => void; onTooLong: () => void },
): void {
  let pieces: string[] = [];
  let length = 0;
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const [first = '', ...others] = chunk.split('\n');
    pieces.push(first);
    length += first.length;
    for (const next of others) {
      onLine(pieces.join(''));
      pieces = [next];
      length = next.length;
    }
    if (length <= most) return;
    pieces = [];
    length = 0;
    onTooLong();
  });
}
