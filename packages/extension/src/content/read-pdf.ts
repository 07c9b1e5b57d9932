import { limits } from '@recollect/contract/limits';

/** Milliseconds that the page's server has for it, should the browser have to ask again. */
const PATIENCE = 20_000;
/** Bytes whose characters are joined at a time: a function takes some ten thousand arguments. */
const STEP = 8_192;

/** The PDF that a tab shows, in Base64; why not, if it cannot be read. The browser has it in its cache, as a rule. */
export async function readPdf(address: string): Promise<{ pdf: string } | { problem: 'pdf' | 'large-pdf' }> {
  const response = await fetch(address, { cache: 'force-cache', signal: AbortSignal.timeout(PATIENCE) }).catch(
    () => null,
  );
  if (response?.ok !== true) return { problem: 'pdf' };
  if (Number(response.headers.get('content-length')) > limits.capture.pdfBytes) return { problem: 'large-pdf' };
  const content = await response.arrayBuffer().catch(() => null);
  if (content === null) return { problem: 'pdf' };
  const bytes = new Uint8Array(content);
  if (bytes.length > limits.capture.pdfBytes) return { problem: 'large-pdf' };
  let binary = '';
  for (let at = 0; at < bytes.length; at += STEP) binary += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return /^[\s\ufeff]*%PDF-/.test(binary.slice(0, 1_024)) ? { pdf: btoa(binary) } : { problem: 'pdf' };
}
