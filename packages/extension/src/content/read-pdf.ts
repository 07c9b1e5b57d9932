import { limits } from '@recollect/contract/limits';
import { encodeBase64, isPdf } from '@recollect/contract/text';

/** Milliseconds that the page's server has for it, should the browser have to ask again. */
const PATIENCE = 20_000;

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
  return isPdf(bytes, { isDeclared: true }) ? { pdf: encodeBase64(bytes) } : { problem: 'pdf' };
}
