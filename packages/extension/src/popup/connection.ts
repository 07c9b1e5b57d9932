import type { SetupAnswer } from '@recollect/contract';
import { type Client, createClient, ProblemError } from '@recollect/contract/client';
import type { SetupFile } from '../setup-file.js';

/** Milliseconds. A capture may wait for its embeddings; other answers come at once or not at all. */
const LIMITS = { quick: 5_000, capture: 60_000 };

/** How the extension stands to its server. */
export type Connection =
  | { state: 'checking' }
  | { state: 'no-setup' }
  | { state: 'off'; host: string }
  | { state: 'wrong-server'; host: string }
  | { state: 'key-needed'; host: string; isRefused: boolean }
  | { state: 'connected'; host: string; client: Client };

export type Connected = Extract<Connection, { state: 'connected' }>;

/** Asks the server that the setup file names who it is, and whether this browser may use it. */
export async function connect(setup: SetupFile | null, apiKey: string | undefined): Promise<Connection> {
  if (setup === null) return { state: 'no-setup' };
  const { baseUrl } = setup.connection;
  const { host } = new URL(baseUrl);
  const without = createClient({ baseUrl, fetch: fetchWithin });
  const client = apiKey === undefined ? without : createClient({ baseUrl, apiKey, fetch: fetchWithin });
  try {
    // Without the key, which is not for whatever else may answer there.
    const { ok, product, auth }: SetupAnswer = await without('extensionSetup', {});
    if (!ok || product.name !== setup.product.name) return { state: 'wrong-server', host };
    if (auth.mode === 'required' && apiKey === undefined) return { state: 'key-needed', host, isRefused: false };
    // A GET does not tell which extension asks; a POST does, and shows whether the key is valid.
    const ask = (as: Client) => as('lookupMemories', { body: { urls: [baseUrl] } });
    try {
      await ask(client);
      return { state: 'connected', host, client };
    } catch (error) {
      // A key that was revoked must not stand in the way where none is needed.
      if (apiKey === undefined || auth.mode === 'required' || !(error instanceof ProblemError)) throw error;
      await ask(without);
      return { state: 'connected', host, client: without };
    }
  } catch (error) {
    return failed(error, host, apiKey !== undefined);
  }
}

/** What a failed request says of the connection. */
export function failed(error: unknown, host: string, hadKey: boolean): Connection {
  if (error instanceof ProblemError) {
    if (error.status === 401 || error.status === 403) return { state: 'key-needed', host, isRefused: hadKey };
    return error.status >= 500 || error.status === 429 ? { state: 'off', host } : { state: 'wrong-server', host };
  }
  // What does not answer in the words of the interface is something else that listens there.
  return error instanceof SyntaxError || error instanceof ReferenceError
    ? { state: 'wrong-server', host }
    : { state: 'off', host };
}

function fetchWithin(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const isCapture = String(input).endsWith('/api/v1/capture');
  const limit = AbortSignal.timeout(isCapture ? LIMITS.capture : LIMITS.quick);
  return fetch(input, { ...init, signal: init.signal == null ? limit : AbortSignal.any([init.signal, limit]) });
}
