import { addressOf, ownName } from '../api/base-path.js';
import { onReconnect, reportUnreachable } from '../api/connection.js';
import { announceFailure } from '../state/status.js';

const ADDRESS = addressOf('/service-worker.js');

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(address: string): string };
}

/**
 * Installs the worker that shows the app while the server cannot be reached. Browsers have workers in secure contexts
 * only; without preloading of pages, the worker would have to request them itself.
 */
export function installWorker(): void {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined || !('navigationPreload' in ServiceWorkerRegistration.prototype)) return;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  // The policy knows one address.
  const address = trustedTypes?.createPolicy('recollect', { createScriptURL: () => ADDRESS }).createScriptURL(ADDRESS);
  // A failure changes nothing for the page, and the next visit tries again.
  serviceWorker.register(address ?? ADDRESS, { updateViaCache: 'none' }).catch(() => {});
}

const RELOADED_KEY = ownName('recollect-reloaded');
/** Milliseconds within which a second reload would not help either. */
const MIN_RELOAD_INTERVAL_MS = 10_000;

/**
 * Reloads the page when a part of it cannot be loaded: after an update, the server no longer has the parts of the
 * former version. While the server does not answer, a reload would only lose the page, so it waits.
 */
export async function reloadAfterUpdate(): Promise<void> {
  const response = await fetch(addressOf('/healthz')).catch(() => null);
  if (response === null) {
    reportUnreachable();
    onReconnect(() => location.reload());
    return;
  }
  const last = Number(sessionStorage.getItem(RELOADED_KEY));
  if (Date.now() - last < MIN_RELOAD_INTERVAL_MS)
    return announceFailure('This page could not be loaded. Try again in a moment.');
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  location.reload();
}
