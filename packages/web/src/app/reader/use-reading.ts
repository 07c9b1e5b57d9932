import type { MemoryDetail, MemoryPatch } from '@recollect/contract';
import { useEffect, useRef } from 'preact/hooks';
import { client } from '../api/client.js';
import { patchItems } from '../state/library.js';

/** The share of a text from which on it counts as read to the end. */
const END = 0.99;
/** Milliseconds between two looks at how far it was read. */
const LOOK_EVERY = 500;
/** The least progress that is worth a request. */
const STEP = 0.02;

/**
 * Tells the server that a memory was opened, how far it was read, and that it was read once its end has been in view. Failures are not
 * reported, since the user loses no work. Once the user has marked the memory as unread, nothing more is sent.
 */
export function useReading(memory: MemoryDetail | null): void {
  const latest = useRef(memory);
  const wasRead = latest.current?.readState === 'read';
  const isLeft = useRef(false);
  if (wasRead && memory?.readState === 'unread') isLeft.current = true;
  latest.current = memory;
  const id = memory?.id;

  useEffect(() => {
    if (id === undefined) return;
    let [furthest, former, isTold] = [0, 0, false];
    const isOpen = () => !isLeft.current && latest.current?.readState !== 'read';
    const look = () => {
      furthest = Math.max(furthest, readTo());
    };
    // The end must be in view twice in a row: a text that is still being rendered is short at first.
    const timer = setInterval(() => {
      look();
      const now = readTo();
      if (isOpen() && !isTold && Math.min(now, former) >= END) {
        // Once: a key that may only read would be refused again and again.
        isTold = true;
        void tell(id, { progress: 1 });
      }
      former = now;
    }, LOOK_EVERY);
    const leave = () => {
      const known = latest.current?.progress ?? 0;
      if (isOpen() && furthest > known + STEP && furthest < END) void tell(id, { progress: furthest });
    };
    const onVisibility = () => {
      if (document.hidden) leave();
    };
    void tell(id, { opened: true });
    addEventListener('scroll', look, { passive: true });
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearInterval(timer);
      removeEventListener('scroll', look);
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
  if (place.height === 0) return 0;
  return Math.min(1, Math.max(0, (innerHeight - place.top) / place.height));
}

async function tell(id: string, patch: MemoryPatch): Promise<void> {
  const told = await client('updateMemory', { parameters: { id }, body: patch }).catch(() => null);
  if (told === null) return;
  const { readState, progress } = told;
  patchItems(new Set([id]), () => ({ readState, progress }));
}
