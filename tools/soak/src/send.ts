/** The answer to a request. The status is null if there was none. */
export interface Answer {
  status: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every operation.
  body: any;
}

export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** Milliseconds. */
const TIMEOUT = { request: 60_000, backup: 900_000 };
/** The address of the backups. One of a busy store takes minutes, so as not to slow captures down. */
export const BACKUPS = '/api/v1/backups';

/** Sends one request, and reads the whole answer. */
export function createSend(address: () => string): Send {
  return async (method, path, body, headers = {}) => {
    try {
      const response = await fetch(address() + path, {
        method,
        headers: { ...(method === 'GET' ? {} : { 'content-type': 'application/json' }), ...headers },
        body: method === 'GET' ? null : JSON.stringify(body ?? null),
        signal: AbortSignal.timeout(path === BACKUPS ? TIMEOUT.backup : TIMEOUT.request),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
      return { status: response.status, body: isJson ? JSON.parse(text) : text };
    } catch (error) {
      return { status: null, body: error instanceof Error ? error.message : String(error) };
    }
  };
}

export function isOk({ status }: Answer): boolean {
  return status !== null && status < 300;
}
