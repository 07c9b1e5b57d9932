import { onReconnect, reportUnreachable } from '../api/connection.js';
import { announceFailure } from '../state/status.js';

const KEY = 'recollect-reloaded';
/** Milliseconds within which a second reload would not help either. */
const PAUSE = 10_000;

/**
 * Reloads the page when a part of it cannot be loaded: after an update, the server no longer has the parts of the
 * former version. While the server does not answer, a reload would only lose the page, so it waits.
 */
export async function reloadAfterUpdate(): Promise<void> {
  const response = await fetch('/healthz').catch(() => null);
  if (response === null) {
    reportUnreachable();
    onReconnect(() => location.reload());
    return;
  }
  const last = Number(sessionStorage.getItem(KEY));
  if (Date.now() - last < PAUSE) return announceFailure('This page could not be loaded. Try again in a moment.');
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}
