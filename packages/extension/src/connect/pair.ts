import { createClient, ProblemError } from '@recollect/contract/client';
import { removeApiKey, storeApiKey } from '../saving/api-key.js';
import { fetchWithTimeout } from '../saving/connection.js';
import { switchOffAll } from '../saving/page-access.js';
import { removeSetup, storeSetup } from '../saving/setup.js';
import type { SetupFile } from '../setup-file.js';
import type { PairingTarget } from './read-target.js';

/** Where OpenClaw usually runs. */
const OPENCLAW_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** The permission for a deployment's origin. Firefox accepts no port in it. */
export function originPattern(baseUrl: string): string {
  const { protocol, host, hostname } = new URL(baseUrl);
  return `${protocol}//${chrome.runtime.getURL('').startsWith('moz-') ? hostname : host}/*`;
}

/**
 * Exchanges a code for a key, and connects the extension to the deployment. Needs the permission for its origin. An API
 * key in place of the code is kept. Throws an error with a sentence for the user.
 */
export async function pair({ baseUrl, code }: PairingTarget): Promise<SetupFile> {
  const { host } = new URL(baseUrl);
  const client = createClient({ baseUrl, fetch: fetchWithTimeout });
  // Without the code, since another program may be listening at that address.
  const answer = await client('extensionSetup', {}).catch((error) => {
    if (error instanceof ProblemError) throw error;
    throw new Error(`No Recollect answers at ${host}. Check the address, and that it is running.`);
  });
  if (!answer.ok || answer.product?.name !== 'Recollect') throw new Error(`The server at ${host} is not Recollect.`);
  const key = isApiKey(code) ? code : (await client('redeemPairing', { body: { code, device: describeDevice() } })).key;
  // A typed key may be wrong.
  if (isApiKey(code)) await createClient({ baseUrl, apiKey: key, fetch: fetchWithTimeout })('extensionSetup', {});
  const { product, connection } = answer;
  const setup = { product, connection: { ...connection, baseUrl }, surfaces: { openclaw: OPENCLAW_HOSTS } };
  await storeApiKey(key);
  await storeSetup(setup);
  return setup;
}

/** Whether the user typed an API key in place of a code. */
function isApiKey(code: string): boolean {
  return code.startsWith('rec_');
}

/** Forgets the deployment and the key, and gives the permissions back. Captures that wait stay. */
export async function disconnect({ connection }: SetupFile): Promise<void> {
  await switchOffAll();
  await removeSetup();
  await removeApiKey();
  await chrome.permissions.remove({ origins: [originPattern(connection.baseUrl)] });
}

/** The name of the extension's key. */
function describeDevice(): string {
  const { userAgent } = navigator;
  const [, name] = BROWSERS.find(([part]) => userAgent.includes(part)) ?? [];
  return `Extension in ${name ?? 'a browser'}`;
}

/** Names in user agents, in this order: Edge also names Chrome. */
const BROWSERS: readonly (readonly [string, string])[] = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
];
