/** What the bookmarklet puts behind the page's address. */
export interface Carried {
  title: string;
  url: string;
  selection?: string;
  html?: string;
  pageText?: string;
  /** Whether the page was too long to be carried whole. */
  isCut?: boolean;
}

/**
 * The address of the bookmark. The function becomes text, so that it holds everything that it needs: it takes the
 * selection, else the page without what is no text, else, where an address cannot hold that, as much of the text as it can.
 */
export function bookmarklet(origin: string): string {
  return `javascript:${encodeURIComponent(`(${carry})(${JSON.stringify(`${origin}/save`)})`)}`;
}

function carry(page: string): void {
  // Browsers cut addresses off without a word: Firefox at 1 MiB, Chromium at 2.
  const longest = 1_000_000;
  const { title, location } = document;
  const pack = (content: object) => encodeURIComponent(JSON.stringify({ title, url: location.href, ...content }));
  const selection = String(getSelection());
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll(
    'script:not([type="application/ld+json"]),style,svg,noscript,iframe,link:not([rel=canonical])',
  ))
    element.remove();
  let packed = pack(selection.trim() === '' ? { html: copy.outerHTML } : { selection });
  let text = selection.trim() === '' ? document.body.innerText : selection;
  for (let isCut = false; packed.length > longest; isCut = true) {
    packed = pack(isCut ? { pageText: text, isCut } : { pageText: text });
    text = text.slice(0, text.length / 2);
  }
  window.open(`${page}#${packed}`, '_blank', 'noopener');
}
