import { signal } from '@preact/signals';
import { addressOf } from '../api/base-path.js';
import { client } from '../api/client.js';
import { describeBrowser } from './pair.js';

/** How a link hands over an invitation. Browsers send no server what is behind `#`. */
const LINK = /^#invite=([\w-]{1,100})$/;

/** The token of the invitation that was opened. Null without one. */
export const invitation = signal<string | null>(null);

/** Opens the invitation in the address, and removes it from there and from the history. */
export function openInvitationByAddress(): void {
  const [, token] = LINK.exec(location.hash) ?? [];
  if (token === undefined) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  invitation.value = token;
}

/** How the server says why a sign-in at the provider failed. */
const FAILURE = /^#sign-in=(\w{1,20})$/;
const FAILURES: Readonly<Record<string, string>> = {
  unavailable: 'The sign-in provider cannot be reached now. Try again soon.',
  unknown: 'Nobody here has this account. Ask for an invitation to its address.',
  refused: 'The sign-in was refused. Try again, or ask the person who runs this deployment.',
};

/** Returns why a sign-in at the provider failed, and removes that from the address. Null if none failed. */
export function takeSignInFailure(): string | null {
  const [, reason = ''] = FAILURE.exec(location.hash) ?? [];
  const failure = Object.hasOwn(FAILURES, reason) ? (FAILURES[reason] ?? null) : null;
  if (failure !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return failure;
}

/** Makes a passkey for an invitation, and opens the app as its person. */
export async function acceptInvitation(token: string): Promise<void> {
  const { options } = await client('openInvitation', { body: { token } });
  const { startRegistration } = await import('@simplewebauthn/browser');
  const response = await startRegistration({ optionsJSON: options as never }).catch(explainRefusal);
  await client('acceptInvitation', { body: { token, response: { ...response }, label: describeBrowser() } });
  enter();
}

/** Opens the app as the person of a passkey. */
export async function signInWithPasskey(): Promise<void> {
  const { options } = await client('passkeyChallenge', {});
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const response = await startAuthentication({ optionsJSON: options as never }).catch(explainRefusal);
  await client('signInWithPasskey', { body: { response: { ...response }, label: describeBrowser() } });
  enter();
}

/** Loads the app anew, since another person may have been signed in. */
function enter(): void {
  location.replace(addressOf('/'));
}

/** Browsers report a dialog that was closed and a missing passkey the same way. */
function explainRefusal(cause: unknown): never {
  throw new Error('The browser made no passkey available. Try again, or use another device.', { cause });
}
