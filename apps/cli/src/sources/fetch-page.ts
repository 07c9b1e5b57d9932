import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { isPdf } from '@recollect/contract/text';
import { RecollectError } from '@recollect/core';
import {
  createGuardedLookup,
  demandAllowedHost,
  type IsAllowedHost,
  isPublicAddress,
  isPublicHost,
} from '@recollect/plugins/public-address';
import { Agent, buildConnector, fetch } from 'undici';

const TIMEOUT = 20_000;
const MAX_BYTES = 16 * 1024 * 1024;
const READABLE = /^(?:text\/(?:html|plain|markdown|x-markdown)|application\/(?:xhtml\+xml|pdf))$/;
const NOT_READABLE = 'This type of content cannot be saved. The page must be HTML, Markdown, plain text or a PDF.';

export interface FetchedPage {
  /** Where it was found, after redirects: the address that a browser would show and the extension would save. */
  url: string;
  /** It is one of html, pageText and pdf. */
  content: Pick<Capture, 'html' | 'pageText' | 'pdf'>;
}

/** The part of `fetch` that is used here. */
export type Fetch = (
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal },
) => Promise<PageResponse>;

type PageResponse = Pick<Response, 'ok' | 'status' | 'url'> & {
  headers: Pick<Headers, 'get'>;
  body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null;
};

/** The server answered with an error status. */
export class PageStatusError extends RecollectError {
  readonly status: number;

  constructor(status: number) {
    super('EXTRACTION_FAILED', `The server responded with status ${status}. Nothing was saved.`);
    this.status = status;
  }
}

/** No answer: there is no such server, or it is too slow. */
export class UnreachablePageError extends RecollectError {
  constructor(sentence: string, cause: unknown) {
    super('EXTRACTION_FAILED', sentence, { cause });
  }
}

/**
 * Fetches a web page over http or https, within 20 seconds and 16 MiB, when a user asks for it (SEC-12). Throws
 * EXTRACTION_FAILED for anything that is not a readable page. `advice` says what to do about an address in a private
 * network.
 */
export async function fetchPage(
  url: string,
  {
    fetch = globalThis.fetch,
    signal,
    advice = 'To fetch it all the same, pass --private.',
  }: { fetch?: Fetch; signal?: AbortSignal; advice?: string | undefined } = {},
): Promise<FetchedPage> {
  const limit = AbortSignal.timeout(TIMEOUT);
  try {
    const response = await fetch(url, {
      headers: {
        accept: 'text/html, text/markdown, text/plain, application/pdf',
        'user-agent': 'Mozilla/5.0 (compatible; Recollect/0.1)',
      },
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    const refusal = refusalOf(response);
    if (refusal !== null) {
      await response.body?.cancel();
      throw refusal;
    }
    return { url: withFragment(response, url), content: await readContent(response) };
  } catch (cause) {
    if (cause instanceof RecollectError) throw cause;
    const refused = cause instanceof Error && cause.cause instanceof Error ? cause.cause : null;
    if (refused?.name === 'RefusedAddressError') throw failed(`${refused.message} ${advice}`, cause);
    throw new UnreachablePageError(
      limit.aborted
        ? 'The server did not respond within 20 seconds. Nothing was saved.'
        : 'The server could not be reached. Check the URL and your network connection.',
      cause,
    );
  }
}

/** Why a response is rejected as a page. */
function refusalOf(response: PageResponse): RecollectError | null {
  if (!response.ok) return new PageStatusError(response.status);
  const { type } = contentTypeOf(response);
  return type === null || READABLE.test(type) ? null : failed(NOT_READABLE);
}

/** The type in lower case, null if the server does not say, and the charset if it says that. */
function contentTypeOf({ headers }: PageResponse): { type: string | null; charset: string | undefined } {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').split(';').map((part) => part.trim());
  const charset = parameters.find((part) => /^charset=/i.test(part))?.slice('charset='.length);
  return { type: type === '' ? null : type.toLowerCase(), charset: charset?.replace(/["']/g, '') };
}

async function readContent(response: PageResponse): Promise<FetchedPage['content']> {
  const bytes = await readBody(response);
  const { type, charset } = contentTypeOf(response);
  if (isPdf(bytes, { isDeclared: type === 'application/pdf' })) return pdfContent(bytes, 'The PDF');
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString('latin1');
  const isHtml = type === null ? LOOKS_LIKE_HTML.test(head) : type.includes('html');
  const { declaredCharset, decodeText, isText } = await import('@recollect/importers/decode-text');
  // As in browsers, a byte order mark says more than what the server or the page declares.
  const declared = MARK.test(head) ? undefined : (charset ?? (isHtml ? declaredCharset(bytes) : undefined));
  const text = isHtml || declared === undefined ? null : isText(decodeAs(declared, bytes));
  if (text !== null) return isHtml ? { html: text } : { pageText: text };
  // A page may have stray control characters, and a browser shows it nevertheless.
  if (isHtml) return { html: decodeAs(declared, bytes) ?? decodeText(bytes) ?? decodeAs(COMMON, bytes) ?? '' };
  const decoded = decodeText(bytes) ?? isText(decodeAs(COMMON, bytes));
  if (decoded === null) throw failed(NOT_READABLE);
  return { pageText: decoded };
}

/** The encoding that browsers assume for a page that declares none and is not UTF-8. */
const COMMON = 'windows-1252';
/** Bytes at the beginning of a page that are examined for its encoding and, if the server names no type, for HTML. */
const HEAD = 1_024;
const MARK = /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/;
/** After comments and the mark of XML, an element that pages begin with. */
const LOOKS_LIKE_HTML =
  /^(?:\u00ef\u00bb\u00bf)?\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]*?(?:-->\s*|$))*(?:$|<(?:!doctype html|html|head|title|meta|link|script|style|body|main|article|section|div|p|h1|table|a|b|br|font|iframe)[\s/>])/i;

/** As a browser shows it, unless a redirect names another fragment, which is not known here. */
function withFragment({ url }: PageResponse, asked: string): string {
  const [fragment = ''] = /#.*$/s.exec(asked) ?? [];
  return `${url}${fragment}`;
}

async function readBody(response: PageResponse): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw failed('The page is larger than 16 MiB. Nothing was saved.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Null if the encoding is unknown. Invalid bytes become replacement characters, as in a browser. */
function decodeAs(charset: string | undefined, bytes: Uint8Array): string | null {
  if (charset === undefined) return null;
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return null;
  }
}

function failed(sentence: string, cause?: unknown): RecollectError {
  return new RecollectError('EXTRACTION_FAILED', sentence, { cause });
}

/**
 * A `fetch` that connects only to the public internet, even when it follows a redirect: a list of links from someone
 * else must not make it request devices in the user's home. If an address is refused, the cause of the error is a
 * RefusedAddressError.
 */
export function createPublicFetch(isAllowed: IsAllowedHost = isPublicHost): Fetch {
  const connect = buildConnector({ lookup: createGuardedLookup(isAllowed) });
  const dispatcher = new Agent({
    connect: (options, callback) => {
      try {
        demandAllowedHost(options.hostname, isAllowed);
      } catch (error) {
        return callback(error as Error, null);
      }
      connect(options, callback);
    },
  });
  return (url, init) => fetch(url, { ...init, dispatcher });
}

/**
 * A `fetch` for an address that the user typed. Its host may be in a private network. A redirect may lead to the public
 * internet or back to the typed host. A later lookup of that host may not add private addresses.
 */
export function createTypedFetch(typed: string): Fetch {
  const { hostname } = new URL(typed);
  let cached: readonly string[] | null = null;
  return createPublicFetch((addresses, host) => {
    if (host !== hostname) return isPublicHost(addresses, host);
    cached ??= addresses.filter((address) => !isPublicAddress(address));
    return addresses.every((address) => isPublicAddress(address) || cached?.includes(address));
  });
}

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
