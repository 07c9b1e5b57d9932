import { displayed } from '@recollect/contract/text';
import { useEffect, useRef, useState } from 'preact/hooks';
import { currentPlace, goTo, type Outline } from './outline.js';

interface Props {
  outline: Outline;
  /** The place that is being read; -1 before the first. */
  current: number;
}

/** The headings of a text, or the questions of a conversation, to jump to. */
export function OutlineList({ outline, current }: Props) {
  return (
    <ol class="outline">
      {outline.places.map((place, at) => (
        <li key={at} data-depth={Math.min(place.depth, 3)}>
          <button
            type="button"
            dir="auto"
            aria-current={at === current ? 'location' : undefined}
            onClick={() => goTo(place)}
          >
            {displayed(place.text)}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** The contents beside a text. They mark the place that is being read. */
export function FixedContents({ outline }: { outline: Outline }) {
  const [current, setCurrent] = useState(-1);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setCurrent(currentPlace(outline)));
    };
    look();
    addEventListener('scroll', look, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', look);
    };
  }, [outline]);
  useEffect(() => {
    const mark = nav.current?.querySelector<HTMLElement>('[aria-current]');
    // `scrollIntoView` would also scroll the page.
    if (mark != null && nav.current !== null) nav.current.scrollTop = mark.offsetTop - nav.current.clientHeight / 2;
  }, [current]);
  return (
    <nav ref={nav} class="reader-contents" aria-label={outline.label}>
      <OutlineList outline={outline} current={current} />
    </nav>
  );
}
