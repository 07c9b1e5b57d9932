import { signal } from '@preact/signals';
import { onReconnect } from './connection.js';

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
export async function lookAtStore(): Promise<void> {
  const response = await fetch('/healthz').catch(() => null);
  if (response === null) return;
  const problem = await readStoreProblem(response);
  if (response.ok || problem !== null) storeProblem.value = problem;
}

/** The problem of the store in an answer of `/healthz`; null if it names none. */
export async function readStoreProblem(response: Response): Promise<string | null> {
  if (response.ok) return null;
  const problem = (await response.json().catch(() => null)) as { code?: unknown; detail?: unknown } | null;
  return typeof problem?.code === 'string' && problem.code.startsWith('STORE_') ? String(problem.detail) : null;
}
