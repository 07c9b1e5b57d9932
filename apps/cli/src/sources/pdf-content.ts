import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '@recollect/core';

/** A PDF as a part of a capture. Throws PAYLOAD_TOO_LARGE for one that no request has room for. */
export function pdfContent(bytes: Uint8Array, name: string): Pick<Capture, 'pdf'> {
  if (bytes.length > limits.capture.pdfBytes) throw largePdf(name);
  return { pdf: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64') };
}

export function largePdf(name: string): RecollectError {
  return new RecollectError(
    'PAYLOAD_TOO_LARGE',
    `${name} is larger than ${limits.capture.pdfBytes / 1_000_000} MB. Save its text instead, for example with pdftotext.`,
  );
}
