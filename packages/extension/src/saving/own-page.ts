import type { SetupFile } from '../setup-file.js';

/** Whether an address is one of the web app, and not of another program on the same host. */
export function isOwnPage(url: string | undefined, setup: SetupFile | null): boolean {
  if (url === undefined || setup === null) return false;
  const page = new URL(url);
  const base = new URL(setup.connection.baseUrl);
  return page.origin === base.origin && `${page.pathname}/`.startsWith(base.pathname.replace(/\/?$/, '/'));
}
