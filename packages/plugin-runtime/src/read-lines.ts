import type { Readable } from 'node:stream';

/** Gives the lines of a stream as they come; `tooLong` is told once a line has no end within `most` characters. */
export function readLines(
  stream: Readable,
  most: number,
  { onLine, tooLong }: { onLine: (line: string) => void; tooLong: () => void },
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
    tooLong();
  });
}
