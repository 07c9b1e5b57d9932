import type { Capture } from '@recollect/contract';
import { isPageAddress } from '@recollect/contract/text';
import { pastDate } from './past-date.js';

/** Bytes from the start of an archive that have its address, in its own headers or its first part's. */
const HEAD = 64 * 1024;
const LOCATION = /^(?:Snapshot-)?Content-Location:[ \t]*(?:\r?\n[ \t]+)?(\S+)/im;

/**
 * Reads a page that a browser saved as MHTML, with its address and when it was saved. Null if there is no page in it.
 */
export async function readWebArchive(bytes: Uint8Array): Promise<Capture | null> {
  const { default: PostalMime } = await import('postal-mime');
  const { html, date } = await PostalMime.parse(bytes);
  if (!html?.trim()) return null;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD));
  const url = LOCATION.exec(head)?.[1] ?? '';
  return {
    html: firstPage(html),
    captureMode: 'page',
    url: isPageAddress(url) ? url : null,
    capturedAt: pastDate(date),
  };
}

/** The page itself. The documents of its frames follow it, and the parser joins them. */
function firstPage(html: string): string {
  const end = /<\/html\s*>/i.exec(html);
  return end === null ? html : html.slice(0, end.index + end[0].length);
}
