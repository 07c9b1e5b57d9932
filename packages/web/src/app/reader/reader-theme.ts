import { useLayoutEffect } from 'preact/hooks';
import { looks } from '../state/looks.js';
import { textSettings } from './text-settings.js';

/** Shows the page in the theme that was chosen for reading, until the reader closes. */
export function useReaderTheme(): void {
  const { theme } = textSettings.value;
  useLayoutEffect(() => {
    if (theme === 'app') return;
    const { dataset } = document.documentElement;
    dataset.theme = theme === 'dark' ? 'dark' : 'light';
    if (theme === 'sepia') dataset.sepia = '';
    return () => {
      delete dataset.sepia;
      dataset.theme = looks.theme.value;
    };
  }, [theme]);
}
