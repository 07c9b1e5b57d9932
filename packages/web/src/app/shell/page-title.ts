import { useEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';

/** Characters that reorder or hide the text after them, also outside of the page, in the browser's own lists. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu;
/** Characters of a title that windows have room for. */
const MAX_TITLE_CHARACTERS = 200;

/** The page that was reached last. */
let reached: string | null = null;
let isFirstPage = true;

/** Whether another page of the app was shown before this one. */
export function hasPageBefore(): boolean {
  return !isFirstPage;
}

/**
 * Sets the title of the window while a page is shown. As soon as the title is known, the focus moves to the page's
 * heading, so that screen readers announce the page and the Tab key continues from there.
 */
export function usePageTitle(title: string): void {
  // The page's own path: while the next page is loaded, this one is still shown.
  const { path } = useRoute();
  useEffect(() => {
    setWindowTitle(title);
    if (title !== '') arrive(path);
  }, [title, path]);
}

function arrive(path: string): void {
  const isFirst = reached === null;
  if (reached === path) return;
  if (!isFirst) isFirstPage = false;
  reached = path;
  // Do not steal focus from a field or a restored list. The browser announces the first page itself.
  if (isFirst || document.activeElement?.matches('input, textarea, main *')) return;
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Sets the title of the window. */
export function setWindowTitle(title: string): void {
  const shown = title.replace(INVISIBLE, ' ').trim().slice(0, MAX_TITLE_CHARACTERS);
  document.title = shown === '' ? 'Recollect' : `${shown} – Recollect`;
}
