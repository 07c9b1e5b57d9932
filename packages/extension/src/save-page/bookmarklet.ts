/** The data that the bookmarklet passes to the page, after the `#` of its address. */
export interface BookmarkletPayload {
  title: string;
  url: string;
  selection?: string;
  /** Of the selection, or else of the page. */
  html?: string;
  pageText?: string;
  /** Whether the text was cut because the page was too long. */
  isCut?: boolean;
}

/**
 * The address of the bookmark. The function below becomes text, so it must be self-contained. It takes the selection,
 * or else the page without elements that are not text. If an address cannot hold that, it takes as much text as fits.
 */
export function bookmarklet(baseUrl: string): string {
  return `javascript:${encodeURIComponent(`(${carry})(${JSON.stringify(`${baseUrl}/save`)})`)}`;
}

function carry(page: string): void {
  // Browsers silently truncate addresses: Firefox at 1 MiB, Chromium at 2 MiB.
  const longest = 1_000_000;
  const { title, location } = document;
  // Truncation can leave a lone surrogate, and pages can contain one. The server rejects them.
  const pack = (content: object) =>
    encodeURIComponent(
      JSON.stringify({ title, url: location.href, ...content }, (_, value) => value?.toWellFormed?.() ?? value),
    );
  const selected = getSelection();
  const selection = String(selected);
  const marked = document.createElement('div');
  for (let at = 0; at < (selected?.rangeCount ?? 0); at++) {
    const range = selected?.getRangeAt(at);
    const common = range?.commonAncestorContainer;
    // The lines of a piece of code would be joined without their element.
    const isCode = (common instanceof Element ? common : common?.parentElement)?.closest('pre') != null;
    if (range !== undefined && !isCode) marked.append(range.cloneContents());
  }
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll(
    'script:not([type="application/ld+json"]),style,svg,noscript,iframe,link:not([rel=canonical])',
  ))
    element.remove();
  let packed = pack(selection.trim() === '' ? { html: copy.outerHTML } : { selection, html: marked.innerHTML });
  let text = selection.trim() === '' ? document.body.innerText : selection;
  if (packed.length > longest && selection.trim() !== '') packed = pack({ selection });
  for (let isCut = false; packed.length > longest; isCut = true) {
    packed = pack(isCut ? { pageText: text, isCut } : { pageText: text });
    text = text.slice(0, text.length / 2);
  }
  window.open(`${page}#${packed}`, '_blank', 'noopener');
}
