import { useRef } from 'preact/hooks';

/** Milliseconds until a touch is a long press, as usual on phones. */
const LONG_PRESS_MS = 500;
/** Pixels that a finger may move during the press. */
const TOLERANCE_PX = 10;

/** Handlers that call `work` when a finger rests on an element. The click that follows does nothing. */
export function useLongPress(work: () => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const end = () => clearTimeout(press.current?.timer);
  return {
    onPointerDown({ pointerType, clientX: x, clientY: y }: PointerEvent) {
      end();
      press.current = null;
      if (pointerType !== 'touch') return;
      const timer = setTimeout(() => {
        dropNextClick();
        work();
      }, LONG_PRESS_MS);
      press.current = { timer, x, y };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (press.current === null) return;
      const { x, y } = press.current;
      if (Math.hypot(clientX - x, clientY - y) > TOLERANCE_PX) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    // The browser's own menu of a link.
    onContextMenu(event: Event) {
      if (press.current !== null) event.preventDefault();
    },
  };
}

/** Drops the click that some browsers send at the end of a long press to the element under the finger. */
function dropNextClick(): void {
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  for (const input of ['pointerdown', 'keydown']) addEventListener(input, () => stop.abort(), options);
  addEventListener(
    'click',
    (event) => {
      stop.abort();
      event.preventDefault();
      event.stopPropagation();
    },
    options,
  );
}
