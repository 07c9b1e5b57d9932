import { signal } from '@preact/signals';
import { addressOf, ownName } from './base-path.js';

/** Milliseconds between two attempts to reach a server that does not answer. */
const RETRY_MS = 2_000;
/** Milliseconds after which an attempt is considered failed. */
const TIMEOUT_MS = 5_000;

/** Whether the server does not answer. */
export const isOffline = signal(false);
/** Whether the server needs a key, and this browser has no session. */
export const isSignedOut = signal(false);

const waiting = new Set<() => void>();

/**
 * Calls `work` every time that the server answers again, and after a sign-in, until the returned function is called.
 */
export function onReconnect(work: () => void): () => void {
  waiting.add(work);
  return () => waiting.delete(work);
}

/** Records that a request got no answer, and tries until the server answers again. */
export function reportUnreachable(): void {
  if (isOffline.value) return;
  isOffline.value = true;
  setTimeout(tryAgain, RETRY_MS);
}

/** Records that the server answered. */
export function reportReachable(): void {
  if (!isOffline.value) return;
  isOffline.value = false;
  reconnect();
}

/** Records that this browser has a session, and reads everything again. */
export function reportSignedIn(): void {
  signIns.postMessage(null);
  isSignedOut.value = false;
  reconnect();
}

/** Tells the other windows of this browser, which use the same session, that there is one. */
const signIns = new BroadcastChannel(ownName('recollect-sign-in'));
signIns.onmessage = () => {
  if (!isSignedOut.value) return;
  isSignedOut.value = false;
  reconnect();
};

function reconnect(): void {
  for (const work of waiting) work();
}

async function tryAgain(): Promise<void> {
  if (!isOffline.value) return;
  const response = await fetch(addressOf('/readyz'), { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
  // A damaged store can still be read.
  if (response?.ok === true || (response !== null && (await isStoreProblem(response)))) reportReachable();
  else setTimeout(tryAgain, RETRY_MS);
}

async function isStoreProblem(response: Response): Promise<boolean> {
  const problem = (await response.json().catch(() => null)) as { code?: unknown } | null;
  return typeof problem?.code === 'string' && problem.code.startsWith('STORE_');
}

/** Milliseconds between two looks. */
const LOOK_EVERY = 60_000;

/** Why the store accepts no changes, in a sentence. Null while it does. */
export const storeProblem = signal<string | null>(null);

/** Asks the server for its state: at once, every minute while the page is visible, and when it answers again. */
export function watchStore(): () => void {
  const look = () => void lookAtStore();
  const lookIfVisible = () => {
    if (!document.hidden) look();
  };
  look();
  const timer = setInterval(lookIfVisible, LOOK_EVERY);
  const stop = onReconnect(look);
  return () => {
    clearInterval(timer);
    stop();
  };
}

/** Reads the state of the store. A server that does not answer, or is stopping, says nothing about it. */
async function lookAtStore(): Promise<void> {
  const response = await fetch(addressOf('/readyz')).catch(() => null);
  if (response === null) return;
  const problem = await readStoreProblem(response);
  if (response.ok || problem !== null) storeProblem.value = problem;
}

/** The problem of the store in an answer of `/readyz`; null if it names none. */
async function readStoreProblem(response: Response): Promise<string | null> {
  if (response.ok) return null;
  const problem = (await response.json().catch(() => null)) as { code?: unknown; detail?: unknown } | null;
  return typeof problem?.code === 'string' && problem.code.startsWith('STORE_') ? String(problem.detail) : null;
}
