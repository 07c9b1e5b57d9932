import type { MemoryDetail, MemoryPatch } from '@recollect/contract';
import { useEffect, useRef } from 'preact/hooks';
import { client } from '../api/client.js';
import { patchItems } from '../state/library.js';

/** The share of a text from which on it counts as read to the end. */
const END = 0.99;
/** Milliseconds that the end must stay in view: a text that is still being rendered is short at first. */
const STAY = 1_000;
/** The least progress that is worth a request. */
const STEP = 0.02;

/**
 * Tells the server that a memory was opened, how far it was read, and that it was read once its end has been in view. What fails is not
 * said: it is no work of the user's that is lost. After the user has marked it as unread, nothing more is told.
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
    let furthest = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isOpen = () => !isLeft.current && latest.current?.readState !== 'read';
    const finish = () => {
      timer = undefined;
      furthest = readTo();
      if (isOpen() && furthest >= END) void tell(id, { progress: 1 });
    };
    const look = () => {
      furthest = Math.max(furthest, readTo());
      if (timer === undefined && furthest >= END && isOpen()) timer = setTimeout(finish, STAY);
    };
    const leave = () => {
      const known = latest.current?.progress ?? 0;
      if (isOpen() && furthest > known + STEP && furthest < END) void tell(id, { progress: furthest });
    };
    const onVisibility = () => {
      if (document.hidden) leave();
    };
    void tell(id, { opened: true });
    look();
    const observer = new ResizeObserver(look);
    const article = document.querySelector('main article');
    if (article !== null) observer.observe(article);
    addEventListener('scroll', look, { passive: true });
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
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
