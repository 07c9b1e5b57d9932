import { useEffect } from 'preact/hooks';

/** Characters that reorder or hide what follows them, also outside of the page, in the browser's own lists. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu;
/** Characters of a title that windows have room for. */
const LENGTH = 200;

/** Sets the title of the window while a page is shown. */
export function usePageTitle(title: string): void {
  useEffect(() => setWindowTitle(title), [title]);
}

/** Sets the title of the window. */
export function setWindowTitle(title: string): void {
  const shown = title.replace(INVISIBLE, ' ').trim().slice(0, LENGTH);
  document.title = shown === '' ? 'Recollect' : `${shown} – Recollect`;
}
