/** Bytes whose characters are joined at a time: a function takes some ten thousand arguments. */
const BYTES_PER_STEP = 8_192;

/** Bytes in Base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += BYTES_PER_STEP)
    binary += String.fromCharCode(...bytes.subarray(at, at + BYTES_PER_STEP));
  return btoa(binary);
}
