import { detect } from 'chardet';

/** Bytes from which the encoding is guessed. */
const SAMPLE = 64 * 1024;
/** The share of zero bytes in every second place from which text counts as UTF-16. */
const ZEROS = 0.2;

const BYTE_ORDER_MARKS = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

/**
 * Decodes a text file of any encoding: by its byte order mark, as UTF-8, as the page declares, or by its letters. UTF-8
 * and UTF-16 may end within a character, as in a truncated file. Null if it is not text.
 */
export function decodeText(file: Uint8Array, declared?: string): string | null {
  const mark = BYTE_ORDER_MARKS.find((candidate) => candidate.bytes.every((byte, at) => file[at] === byte));
  if (mark !== undefined) return decodeAs(mark.encoding, file, { mayBeCutOff: true });
  const wide = wideEncodingOf(file);
  if (wide !== null) return isText(decodeAs(wide, file, { mayBeCutOff: true }));
  const bytes = withoutEndMark(file);
  if (isBinary(bytes)) return null;
  // An encoding of seven bits looks like ASCII, and so like UTF-8.
  const first = SEVEN_BITS.test(declared ?? '') ? decodeAs(declared, bytes) : null;
  return (
    first ??
    decodeAs('utf-8', bytes) ??
    decodeAs(declared, bytes) ??
    decodeCutOff(bytes) ??
    decodeAs(detect(bytes.subarray(0, SAMPLE)), bytes)
  );
}

/** The encoding that a page declares. */
export function declaredCharset(page: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(page.subarray(0, 2_048));
  return /<meta[^<>]+charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
}

const SEVEN_BITS = /^(?:iso-2022-|hz-)/i;

/** DOS ends a text with this character, and CP/M fills the last block with it. */
function withoutEndMark(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (bytes[end - 1] === 0x1a) end -= 1;
  return bytes.subarray(0, end);
}

/**
 * UTF-8 without the beginning of a character at its end. A text in which that is the only one is in another encoding.
 */
function decodeCutOff(bytes: Uint8Array): string | null {
  const text = decodeAs('utf-8', bytes, { mayBeCutOff: true });
  return text !== null && /\P{ASCII}/u.test(text) ? text : null;
}

/**
 * Null if the encoding is unknown, or if the bytes are not in it. The beginning of a character at the end may be left
 * out.
 */
function decodeAs(
  encoding: string | null | undefined,
  bytes: Uint8Array,
  { mayBeCutOff = false }: { mayBeCutOff?: boolean } = {},
): string | null {
  if (encoding == null) return null;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: mayBeCutOff });
  } catch {
    return null;
  }
}

/** UTF-16 without a byte order mark: in most texts, every second byte of many letters is 0. */
function wideEncodingOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const enough = (sample.length / 2) * ZEROS;
  if (odd > enough && even === 0) return 'utf-16le';
  return even > enough && odd === 0 ? 'utf-16be' : null;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no text has them.
const CONTROLS = /[\u0000-\u0006\u000e-\u001a\u001c-\u001f]/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: texts of DOS have it.
const END_MARK = /(?<!\u001a)\u001a+$/;

/** A text without control characters that no text has, but for the end mark of DOS; else null. */
export function isText(text: string | null): string | null {
  const whole = text?.replace(END_MARK, '') ?? null;
  return whole === null || CONTROLS.test(whole) ? null : whole;
}

/** Whether there are control characters that no text has. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SAMPLE).some((byte) => byte < 7 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32));
}
