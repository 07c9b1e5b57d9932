/**
 * Loads the code of a page. If that fails, it never settles: `reloadAfterUpdate` says so, and reloads the app when that
 * helps.
 */
export function loadPage<T>(load: () => Promise<T>): Promise<T> {
  return load().catch(() => new Promise<never>(() => {}));
}
