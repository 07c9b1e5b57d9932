import { limits } from '@recollect/contract/limits';

/** Bytes whose characters are joined at a time: a function takes some ten thousand arguments. */
const STEP = 8_192;

/** The PDF that a tab shows, in Base64; why not, if it cannot be read. The browser has it in its cache, as a rule. */
export async function readPdf(address: string): Promise<{ pdf: string } | { problem: 'pdf' | 'large-pdf' }> {
  const response = await fetch(address, { cache: 'force-cache' }).catch(() => null);
  if (response?.ok !== true) return { problem: 'pdf' };
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > limits.capture.pdfBytes) return { problem: 'large-pdf' };
  let binary = '';
  for (let at = 0; at < bytes.length; at += STEP) binary += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return binary.startsWith('%PDF-') ? { pdf: btoa(binary) } : { problem: 'pdf' };
}
