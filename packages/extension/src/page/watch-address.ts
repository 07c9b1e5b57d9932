/** Milliseconds between looks at the address, in browsers that do not report its changes. */
const POLL_MS = 1_000;

/** An address without a fragment that names a part of the page. Fragments with `/` or `!` are routes of an app. */
export function pageAddress(href: string): string {
  return href.replace(/:~:.*$/s, '').replace(/#[^/!]*$/s, '');
}

/** Calls back when the page changes its address without loading another document. */
export function watchAddress(onChange: (address: string) => void, signal: AbortSignal): void {
  let known = pageAddress(location.href);
  const check = () => {
    const address = pageAddress(location.href);
    if (address === known) return;
    known = address;
    onChange(address);
  };
  const { navigation } = globalThis as { navigation?: EventTarget };
  navigation?.addEventListener('currententrychange', check, { signal });
  for (const event of ['popstate', 'hashchange', 'pageshow']) window.addEventListener(event, check, { signal });
  if (navigation !== undefined) return;
  const timer = setInterval(check, POLL_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}
