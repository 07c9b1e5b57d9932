import { useEffect, useRef } from 'preact/hooks';

interface Props {
  /** The text, once it is complete. */
  article: HTMLElement | null;
  /** Called with the share of the text that was scrolled past, from 0 to 1, whenever it changes. */
  onProgress?: (share: number) => void;
}

/** A line that grows as the text is read. It is decoration: the scroll bar says the same. */
export function ProgressLine({ article, onProgress }: Props) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (article === null) return;
    let frame = 0;
    const update = () => {
      const { bottom } = article.getBoundingClientRect();
      // Content below the last line of the text does not count.
      const length = scrollY + bottom - innerHeight;
      const share = length <= 0 ? 1 : Math.min(1, Math.max(0, scrollY / length));
      if (line.current !== null) {
        line.current.style.scale = `${share} 1`;
        line.current.hidden = length <= 0;
      }
      onProgress?.(share);
    };
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(update);
    };
    const sizes = new ResizeObserver(later);
    sizes.observe(article);
    addEventListener('scroll', later, { passive: true });
    addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      removeEventListener('scroll', later);
      removeEventListener('resize', later);
    };
  }, [article]);
  return <div ref={line} class="reader-progress" aria-hidden="true" hidden />;
}
