import type { MemoryDetail, MemoryPatch } from '@recollect/contract';
import { useEffect, useRef } from 'preact/hooks';
import { client } from '../api/client.js';
import { patchItems } from '../state/library.js';

/** The share of a text from which on it counts as read to the end. */
const END_PROGRESS = 0.99;
/** Milliseconds between two looks at how far it was read. */
const POLL_INTERVAL_MS = 500;
/** Looks in a row at which the end must be in view: a text that is still being rendered is short at first. */
const MIN_POLLS_AT_END = 2;
/** The same for a text that is in view as a whole, which a glance does not read. */
const MIN_POLLS_OF_WHOLE = 6;
/** The least progress that is worth a request. */
const MIN_PROGRESS_STEP = 0.02;
/** The events with which users scroll. */
const INPUTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'];

/**
 * Tells the server that a memory was opened, how far it was read, and that it was read once its end has been in view.
 * Failures are not reported, since the user loses no work. Once the user has marked the memory as unread, nothing more
 * is sent.
 *
 * @param isAtPassage whether the page opens at a passage: the text above it has not been read
 */
export function useReading(memory: MemoryDetail | null, isAtPassage: boolean): void {
  const latest = useRef(memory);
  const wasRead = latest.current?.readState === 'read';
  const isLeft = useRef(false);
  if (wasRead && memory?.readState === 'unread') isLeft.current = true;
  latest.current = memory;
  const id = memory?.id;

  useEffect(() => {
    if (id === undefined) return;
    let [furthest, looks, isTold, wasWhole] = [0, 0, false, false];
    // A link has only the title of its page. Seeing that is not reading the page.
    const isLink = latest.current?.isLink === true;
    const isOpen = () => !isLink && !isLeft.current && latest.current?.readState !== 'read';
    // The position that the page opened at. It follows the page until the user scrolls;
    // the text above it does not count as read.
    let [start, hasInput] = [0, false];
    const onInput = () => {
      hasInput = true;
    };
    const look = () => {
      const now = readTo();
      if (!isAtPassage || window.scrollY === 0) start = 0;
      else start = hasInput ? Math.min(start, now) : now;
      if (now > start + MIN_PROGRESS_STEP) furthest = Math.max(furthest, now);
      return now;
    };
    const timer = setInterval(() => {
      const isAtEnd = look() >= END_PROGRESS && furthest >= END_PROGRESS;
      // Nothing had to be scrolled.
      if (looks === 0) wasWhole = window.scrollY === 0;
      looks = isAtEnd ? looks + 1 : 0;
      if (isOpen() && !isTold && looks >= (wasWhole ? MIN_POLLS_OF_WHOLE : MIN_POLLS_AT_END)) {
        // Once: a key that may only read would be refused again and again.
        isTold = true;
        void tell(id, { progress: 1 });
      }
    }, POLL_INTERVAL_MS);
    const leave = () => {
      const savedProgress = latest.current?.progress ?? 0;
      if (isOpen() && furthest > savedProgress + MIN_PROGRESS_STEP && furthest < END_PROGRESS)
        void tell(id, { progress: furthest });
    };
    const onVisibility = () => {
      if (document.hidden) leave();
    };
    void tell(id, { opened: true });
    addEventListener('scroll', look, { passive: true });
    for (const input of INPUTS) addEventListener(input, onInput, { passive: true });
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearInterval(timer);
      removeEventListener('scroll', look);
      for (const input of INPUTS) removeEventListener(input, onInput);
      document.removeEventListener('visibilitychange', onVisibility);
      leave();
    };
  }, [id]);
}

/** The share of the text that has been above the lower edge of the window. */
function readTo(): number {
  const article = document.querySelector('main article');
  if (article === null || article.ariaBusy === 'true') return 0;
  const place = article.getBoundingClientRect();
  // A text that is only its title.
  if (place.height === 0) return 1;
  return Math.min(1, Math.max(0, (innerHeight - place.top) / place.height));
}

async function tell(id: string, patch: MemoryPatch): Promise<void> {
  const updated = await client('updateMemory', { parameters: { id }, body: patch }).catch(() => null);
  if (updated === null) return;
  const { readState, progress } = updated;
  patchItems(new Set([id]), () => ({ readState, progress }));
}
