import { wholeBoundary } from '@recollect/contract/text';

/** Milliseconds that a client has to read the next part of what it gets. */
export const STALL = 60_000;

/** Characters or bytes of a part: a reader of 2 KB per second takes one in a minute. */
const PART = 64 * 1024;

/**
 * Passes texts or bytes on in parts, and calls `onStall` if the reader takes none for so many milliseconds. A slow
 * reader of a long text does not stall, as long as it continues to read.
 */
export async function* whileRead<Part extends string | Uint8Array>(
  parts: AsyncIterable<Part>,
  milliseconds: number,
  onStall: () => void,
): AsyncGenerator<Part> {
  for await (const part of parts) {
    for (let [start, end] = [0, 0]; start < part.length; start = end) {
      end = typeof part === 'string' ? wholeBoundary(part, start + PART) : start + PART;
      const timer = setTimeout(onStall, milliseconds).unref();
      try {
        yield (typeof part === 'string' ? part.slice(start, end) : part.subarray(start, end)) as Part;
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
