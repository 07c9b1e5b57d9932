import { createClient, ProblemError } from '@recollect/contract/client';
import { basePath } from './base-path.js';
import { isSignedOut, reportReachable, reportUnreachable } from './connection.js';

/** Tells the server that its own page sends the request, in browsers that do not say so (SEC-19). */
const PAGE_HEADER = { 'recollect-page': '1' };

/** Milliseconds after which an operation is considered failed. Saving a large page takes the longest. */
const TIMEOUT_MS = 60_000;
/**
 * Operations that take minutes, such as a job of a plugin or a change of very many memories, and whose answer is
 * needed.
 */
const LONG_OPERATION =
  /\/(?:backups|restore|memories\/change|changes\/[^/]+\/undo|tags\/rename|tags\/remove|trash\/empty|plugins|search\/test)$/;

/** Characters of a change that is sent even if the page closes. Browsers accept 64 KiB of such requests at a time. */
const MAX_KEEPALIVE_CHARACTERS = 10_000;

/** Sends a request to the server and notices when it does not answer, or needs a session. */
export async function send(input: RequestInfo | URL, options: RequestInit = {}): Promise<Response> {
  const headers = { ...Object.fromEntries(new Headers(options.headers)), ...PAGE_HEADER };
  const response = await fetch(input, { ...options, headers }).catch((error) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) reportUnreachable();
    throw error;
  });
  // A proxy answers for a server that has stopped. The server itself answers with a problem document.
  const isOurs = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  if (response.status >= 502 && response.status <= 504 && !isOurs) reportUnreachable();
  else reportReachable();
  if (response.status === 401) isSignedOut.value = true;
  return response;
}

/** All operations of the server. */
export const client = createClient({
  baseUrl: location.origin + basePath,
  fetch: (input, { signal, ...options }) => {
    const isQuick = options.method === 'GET' && !input.pathname.endsWith('/restore');
    const isLong = !isQuick && LONG_OPERATION.test(input.pathname);
    if (isLong) return send(input, { ...options, signal });
    const late = AbortSignal.timeout(TIMEOUT_MS);
    const keepalive = options.method === 'PATCH' && `${options.body}`.length <= MAX_KEEPALIVE_CHARACTERS;
    return send(input, { ...options, keepalive, signal: signal === null ? late : AbortSignal.any([signal, late]) });
  },
});

/** A sentence for the user about an error. */
export function explain(error: unknown): string {
  if (error instanceof ProblemError) return error.message;
  if (error instanceof TypeError) return 'Can’t reach Recollect.';
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return 'Recollect has not answered for a minute. It may still be at work.';
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** Whether an error says that there is no such thing. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 404;
}

/**
 * Loads the code of a page. If that fails, it never settles: `reloadAfterUpdate` says so, and reloads the app when that
 * helps.
 */
export function loadPage<T>(load: () => Promise<T>): Promise<T> {
  return load().catch(() => new Promise<never>(() => {}));
}
