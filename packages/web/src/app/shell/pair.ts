import { signal } from '@preact/signals';
import { client, explain } from '../api/client.js';
import { isSignedOut, reportSignedIn } from '../api/connection.js';
import { announce } from '../state/status.js';

/** How a link hands over a pairing code. Browsers send no server what is behind `#`. */
const LINK = /^#pair=([\w-]{1,100})$/;

/** A code of a link that opened no session, and why. The sign-in shows both. */
export const failedCode = signal<{ code: string; problem: string } | null>(null);

/**
 * The link that connects a device.
 *
 * @example
 * pairingLink('https://host.example', '7K3M-Q9ZT-0VXA'); // 'https://host.example/#pair=7K3M-Q9ZT-0VXA'
 */
export function pairingLink(baseUrl: string, code: string): string {
  return `${baseUrl}/#pair=${code}`;
}

/** Opens a session with the pairing code in the address, and removes it from there and from the history. */
export async function pairByAddress(): Promise<void> {
  const [, code] = LINK.exec(location.hash) ?? [];
  if (code === undefined) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  try {
    // A device that is connected keeps its session, and the code stays valid for another one.
    const { scopes } = await client('sessionState', {});
    if (scopes !== null) return announce('This browser is connected already. The code was not used.');
    await signInWithCode(code);
    announce('This browser is connected.');
  } catch (error) {
    failedCode.value = { code, problem: explain(error) };
    isSignedOut.value = true;
  }
}

/** Opens a session with the key that a pairing code is exchanged for. */
export async function signInWithCode(code: string): Promise<void> {
  const { key } = await client('redeemPairing', { body: { code, device: describeBrowser() } });
  await signInWithKey(key);
}

/** Opens a session with an API key. */
export async function signInWithKey(apiKey: string): Promise<void> {
  await client('signIn', { body: { apiKey, label: describeBrowser() } });
  failedCode.value = null;
  reportSignedIn();
}

/** The browser, for the list of sessions and the name of its key. */
export function describeBrowser(): string {
  const { userAgent } = navigator;
  const nameIn = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).find(([part]) => userAgent.includes(part))?.[1];
  const browser = nameIn(BROWSERS) ?? 'Browser';
  const system = nameIn(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** Names in user agents, in this order: Edge also names Chrome, and Android also names Linux. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
const SYSTEMS = {
  Android: 'Android',
  iPhone: 'iPhone',
  iPad: 'iPad',
  Windows: 'Windows',
  'Mac OS X': 'macOS',
  CrOS: 'ChromeOS',
  Linux: 'Linux',
};
