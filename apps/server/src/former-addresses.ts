/**
 * Returns the present address for a request. Scripts and bookmarks may still use the addresses of earlier versions.
 *
 * @example
 * currentAddress('/api/v1/import/file?name=a.zip'); // '/api/v1/import?name=a.zip'
 */
export function currentAddress(url: string): string {
  return url.replace(/^\/api\/v1\/import\/file(?=[/?]|$)/, '/api/v1/import');
}
