import { readFileSync } from 'node:fs';

/**
 * Removes the base path from the URL of a request, if the proxy has not done so.
 *
 * @example
 * withoutBasePath('/recollect/docs?x=1', '/recollect'); // '/docs?x=1'
 */
export function withoutBasePath(url: string, base: string): string {
  if (base === '' || !url.startsWith(base)) return url;
  const rest = url.slice(base.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url;
}

/** Whether a URL names the base path without a slash at its end, from where relative addresses lead elsewhere. */
export function lacksSlash(url: string, base: string): boolean {
  return base !== '' && (url === base || url.startsWith(`${base}?`));
}

/**
 * Adds the base path to the addresses of the server in attributes of HTML and in values of JSON.
 *
 * @example
 * withBasePath('<a href="/docs">', '/recollect'); // '<a href="/recollect/docs">'
 */
export function withBasePath(content: string, base: string): string {
  return base === '' ? content : content.replace(/(=|: )"\/(?!\/)/g, `$1"${base}/`);
}

/** Reads a file of the web app, and adds the base path. */
export function fileWithBasePath(path: string, base: string): Buffer {
  return Buffer.from(withBasePath(readFileSync(path, 'utf8'), base));
}
