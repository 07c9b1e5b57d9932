import { RecollectError } from '@recollect/core';

const TIMEOUT = 20_000;
const MAX_BYTES = 16 * 1024 * 1024;
const READABLE = /^(?:text\/(?:html|plain|markdown|x-markdown)|application\/xhtml\+xml)$/;

export interface Page {
  /** Where it was found, after redirects: the address that a browser would show and the extension would save. */
  url: string;
  text: string;
  isHtml: boolean;
}

/**
 * Fetches a web page over http or https, within 20 seconds and 16 MiB. The command line fetches for its user; the server
 * never fetches a captured URL (SEC-12). Throws EXTRACTION_FAILED for anything that is not a readable page.
 */
export async function fetchPage(url: string): Promise<Page> {
  let response: Response;
  let bytes: Uint8Array;
  try {
    response = await fetch(url, {
      headers: {
        accept: 'text/html, text/markdown, text/plain',
        'user-agent': 'Mozilla/5.0 (compatible; Recollect/0.1)',
      },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw failed(`The server responded with status ${response.status}. Nothing was saved.`);
    }
    bytes = await readBody(response);
  } catch (cause) {
    if (cause instanceof RecollectError) throw cause;
    const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
    throw failed(
      isTimeout
        ? 'The server did not respond within 20 seconds. Nothing was saved.'
        : 'The server could not be reached. Check the URL and your network connection.',
      cause,
    );
  }
  const [type = '', ...parameters] = (response.headers.get('content-type') ?? 'text/html')
    .split(';')
    .map((part) => part.trim());
  if (!READABLE.test(type.toLowerCase())) {
    throw failed('This type of content cannot be saved. The page must be HTML, Markdown or plain text.');
  }
  const isHtml = /html/.test(type);
  const charset = parameters.find((part) => /^charset=/i.test(part))?.slice('charset='.length);
  return { url: response.url, text: decode(bytes, charset ?? (isHtml ? declaredCharset(bytes) : undefined)), isHtml };
}

async function readBody(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw failed('The page is larger than 16 MiB. Nothing was saved.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The charset that a page declares in its head. */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString('latin1');
  return /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
}

function decode(bytes: Uint8Array, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset.replace(/["']/g, '')).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function failed(sentence: string, cause?: unknown): RecollectError {
  return new RecollectError('EXTRACTION_FAILED', sentence, { cause });
}
