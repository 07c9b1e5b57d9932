import { useEffect } from 'preact/hooks';

/** Pixels in one direction that count as scrolling: less is a finger that rests. */
const MIN_SCROLL_PX = 12;
/** Pixels from the top within which the bars stay. */
const TOP_PX = 160;

/**
 * Hides the bars while the user scrolls down, and shows them again when they scroll up. A jump, such as to a heading,
 * is not scrolling: the bars show where it led to.
 */
export function useHidingBars(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let last = scrollY;
    const show = () => delete dataset.hidesBars;
    const onScroll = () => {
      const distance = scrollY - last;
      if (Math.abs(distance) < MIN_SCROLL_PX) return;
      last = scrollY;
      const isJump = Math.abs(distance) > innerHeight / 2;
      if (distance > 0 && !isJump && scrollY > TOP_PX) dataset.hidesBars = '';
      else show();
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      removeEventListener('scroll', onScroll);
      show();
    };
  }, []);
}
