import { wholeBoundary } from '@recollect/contract/text';

/** Characters of a part: a reader of 2 KB per second takes one in a minute. */
const PART = 64 * 1024;

/**
 * Passes texts on in parts, and calls `onStall` if the reader takes none for so many milliseconds. A text may be long, and whoever
 * reads it slowly but steadily does not stall.
 */
export async function* whileRead(
  texts: AsyncIterable<string>,
  milliseconds: number,
  onStall: () => void,
): AsyncGenerator<string> {
  for await (const text of texts) {
    for (let [start, end] = [0, 0]; start < text.length; start = end) {
      end = wholeBoundary(text, start + PART);
      const timer = setTimeout(onStall, milliseconds).unref();
      try {
        yield text.slice(start, end);
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
