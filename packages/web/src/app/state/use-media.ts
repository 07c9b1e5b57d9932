import { useEffect, useState } from 'preact/hooks';

/** A window as narrow as a phone's, as in the style sheets. */
export const NARROW = '(width < 48rem)';

/** Whether a media query matches, now and whenever that changes. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = () => setMatches(list.matches);
    update();
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, [query]);
  return matches;
}
