const ADDRESS = '/service-worker.js';

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
