const NEWLINE = 10;

/** One line of a stream. */
export interface Cut {
  /** From 1. */
  number: number;
  /** Null if it is too long or not UTF-8; `fault` then says so. */
  line: string | null;
  fault: string;
  /** Whether a line break follows. */
  isEnded: boolean;
}

/**
 * Cuts a stream of bytes into lines of UTF-8. A line of more than `most` bytes is left out of memory. White space at
 * the end of a line, such as the carriage return of Windows, stays.
 */
export async function* cutLines(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Cut> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length <= most) parts.push(part);
    else parts = [];
  };
  const take = (isEnded: boolean): Cut => {
    const cut = toCut(parts, length > most ? 'The line is too long.' : null, ++number, isEnded);
    parts = [];
    length = 0;
    return cut;
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield take(true);
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield take(false);
}

function toCut(parts: readonly Uint8Array[], fault: string | null, number: number, isEnded: boolean): Cut {
  if (fault !== null) return { number, line: null, fault, isEnded };
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    const texts = parts.map((part) => decoder.decode(part, { stream: true }));
    return { number, line: texts.join('') + decoder.decode(), fault: '', isEnded };
  } catch {
    return { number, line: null, fault: isEnded ? 'The line is not UTF-8.' : 'The line is incomplete.', isEnded };
  }
}
