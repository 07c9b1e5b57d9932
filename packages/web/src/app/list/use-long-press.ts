import { useRef } from 'preact/hooks';

/** Milliseconds until a touch is a long press, as usual on phones. */
const LONG = 500;
/** Pixels that a finger may move meanwhile. */
const TOLERANCE = 10;

/** Handlers that call `work` when a finger rests on an element. The click that follows does nothing. */
export function useLongPress(work: () => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number; isDone: boolean } | null>(null);
  const end = () => clearTimeout(press.current?.timer);
  return {
    onPointerDown({ pointerType, clientX: x, clientY: y }: PointerEvent) {
      end();
      press.current = null;
      if (pointerType !== 'touch') return;
      const timer = setTimeout(() => {
        if (press.current !== null) press.current.isDone = true;
        work();
      }, LONG);
      press.current = { timer, x, y, isDone: false };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (press.current === null) return;
      const { x, y } = press.current;
      if (Math.hypot(clientX - x, clientY - y) > TOLERANCE) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    // The browser's own menu of a link.
    onContextMenu(event: Event) {
      if (press.current !== null) event.preventDefault();
    },
    onClickCapture(event: Event) {
      if (press.current?.isDone !== true) return;
      press.current = null;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
