/** Path under which the deployment is served, without a slash at its end. Empty at the root of a host. */
export const basePath = readBasePath();

/** The server writes the path into the addresses of its page. */
function readBasePath(): string {
  const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  if (manifest === null) throw new Error('index.html has no manifest.');
  return new URL('.', manifest.href).pathname.replace(/\/$/, '');
}

/**
 * Returns the address of a path of the server.
 *
 * @example
 * addressOf('/docs/security'); // '/recollect/docs/security' under `https://host.example/recollect`
 */
export function addressOf(path: string): string {
  return basePath + path;
}

/** Returns the path of the app's page at a path of the browser: `/`, `/tags` and so on. */
export function pagePath(pathname: string): string {
  return pathname.slice(basePath.length) || '/';
}

/**
 * Names a value in the storage of the browser, or a channel or lock. Other deployments can be on the same host, whose
 * pages share these.
 */
export function ownName(name: string): string {
  return name + basePath;
}

/** Adds the base path to the address of the page. A browser on the server's machine may have left it out. */
export function enterBasePath(): void {
  const { pathname, search, hash } = location;
  if (pathname === basePath || pathname.startsWith(`${basePath}/`)) return;
  history.replaceState(null, '', addressOf(pathname) + search + hash);
}
