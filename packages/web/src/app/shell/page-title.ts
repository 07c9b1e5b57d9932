import { useEffect } from 'preact/hooks';

/** Sets the title of the window while a page is shown. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Recollect' : `${title} – Recollect`;
  }, [title]);
}
