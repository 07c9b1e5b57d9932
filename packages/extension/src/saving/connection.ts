import type { SetupAnswer } from '@recollect/contract';
import { type Client, createClient, ProblemError, UnexpectedResponseError } from '@recollect/contract/client';
import type { SetupFile } from '../setup-file.js';

/** Timeouts in milliseconds. A capture may wait for its embeddings; other responses are quick or never arrive. */
const TIMEOUTS_MS = { quick: 5_000, capture: 60_000 };

/** The state of the extension's connection to its server. */
export type Connection =
  | { state: 'checking' }
  | { state: 'no-setup' }
  | { state: 'off'; host: string }
  | { state: 'wrong-server'; host: string }
  | { state: 'key-needed'; host: string; isRefused: boolean }
  | { state: 'connected'; host: string; baseUrl: string; client: Client; hasKey: boolean };

export type Connected = Extract<Connection, { state: 'connected' }>;

/** Checks that the server in the setup file is Recollect, and that this browser may use it. */
export async function connect(setup: SetupFile | null, apiKey: string | undefined): Promise<Connection> {
  if (setup === null) return { state: 'no-setup' };
  const { baseUrl } = setup.connection;
  const { host } = new URL(baseUrl);
  const keylessClient = createClient({ baseUrl, fetch: fetchWithTimeout });
  try {
    // Without the key, since another program may be listening at that address.
    const { ok, product, auth }: SetupAnswer = await keylessClient('extensionSetup', {});
    if (!ok || product?.name !== setup.product.name) return { state: 'wrong-server', host };
    if (apiKey !== undefined) {
      const client = createClient({ baseUrl, apiKey, fetch: fetchWithTimeout });
      if (await hasAccess(client, baseUrl)) return { state: 'connected', host, baseUrl, client, hasKey: true };
      // A revoked key must not block access where no key is required.
      if (auth.mode === 'required') return { state: 'key-needed', host, isRefused: true };
    }
    if (auth.mode === 'required') return { state: 'key-needed', host, isRefused: false };
    return (await hasAccess(keylessClient, baseUrl))
      ? { state: 'connected', host, baseUrl, client: keylessClient, hasKey: false }
      : { state: 'key-needed', host, isRefused: apiKey !== undefined };
  } catch (error) {
    return connectionAfter(error, host, apiKey !== undefined);
  }
}

/**
 * Sends a POST, because a GET does not identify the extension and so does not show whether it has access. A key may be
 * limited to captures.
 */
async function hasAccess(client: Client, baseUrl: string): Promise<boolean> {
  try {
    await client('lookupMemories', { body: { urls: [baseUrl] } });
    return true;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    // A key that may only capture has access. Other errors, such as a problem of the store or a rate limit, are
    // reported by the request that meets them.
    return error.code === 'SCOPE_MISSING' || !isDenial(error);
  }
}

/** Derives the connection state from a failed request. */
export function connectionAfter(error: unknown, host: string, hasKey: boolean): Connection {
  if (error instanceof ProblemError && isDenial(error)) {
    return { state: 'key-needed', host, isRefused: hasKey };
  }
  // A proxy responds with its own 5xx page when the server behind it is down.
  const isOther = error instanceof UnexpectedResponseError && error.status < 500;
  return { state: isOther ? 'wrong-server' : 'off', host };
}

/** Whether the request needs a key, or another one. */
export function isDenial({ status, code }: ProblemError): boolean {
  return status === 401 || (status === 403 && code !== 'QUOTA_EXCEEDED');
}

/** `fetch` with a limit of time, after which the server counts as unreachable. */
export function fetchWithTimeout(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const isCapture = String(input).endsWith('/api/v1/capture');
  const limit = AbortSignal.timeout(isCapture ? TIMEOUTS_MS.capture : TIMEOUTS_MS.quick);
  return fetch(input, { ...init, signal: init.signal == null ? limit : AbortSignal.any([init.signal, limit]) });
}

/** Whether the store accepts no changes. The message says why. */
export function isStoreProblem(
  error: unknown,
): error is ProblemError & { code: Extract<ProblemError['code'], `STORE_${string}`> } {
  return error instanceof ProblemError && error.code.startsWith('STORE_');
}
