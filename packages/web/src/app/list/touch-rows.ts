import '../styles/touch-rows.css';
import type { Place } from '@recollect/contract/vocabulary';
import { moveMemories, starMemories } from '../state/changes.js';
import { type Item, items } from '../state/library.js';
import { placeLabels } from '../state/places.js';
import { isSelecting, toggleSelected } from '../state/selection.js';
import { succeeds } from '../state/status.js';

/** Pixels before a movement is a swipe: less is a tap, or the beginning of scrolling. */
const START_PX = 12;
/** Pixels from the edges of the window, where phones swipe between pages. */
const EDGE_PX = 24;
/** Pixels, or the share of the row, after which the action is done when the finger lifts. */
const DONE_PX = 96;
const DONE_SHARE = 1 / 3;

interface Action {
  name: string;
  run: () => Promise<void>;
}

interface Swipe {
  pointerId: number;
  row: HTMLElement;
  memory: Item;
  x: number;
  y: number;
  /** What happens when the finger lifts now. */
  action: Action | null;
}

/**
 * Lets a finger move the rows of a list: to the right stars a memory or removes its star, and to the left archives it,
 * or takes it out of the archive. The keys `s`, `a` and `i` do the same. While memories are selected, a tap on a row
 * selects it instead of opening it.
 */
export function touchRows(list: HTMLElement): void {
  let swipe: Swipe | null = null;
  let isTouch = false;

  list.addEventListener('pointerdown', ({ pointerType, pointerId, clientX: x, clientY: y, target }) => {
    isTouch = pointerType === 'touch';
    // A second finger does something else.
    if (swipe !== null) return end();
    const isAtEdge = x < EDGE_PX || x > innerWidth - EDGE_PX;
    const row = target instanceof Element ? target.closest<HTMLElement>('.row-memory') : null;
    const memory = memoryAt(target);
    if (!isTouch || isAtEdge || isSelecting.peek() || row === null || memory === undefined) return;
    swipe = { pointerId, row, memory, x, y, action: null };
  });

  list.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
    if (swipe?.pointerId !== pointerId) return;
    const [right, down] = [clientX - swipe.x, clientY - swipe.y];
    const { row } = swipe;
    if (row.dataset.swipe === undefined) {
      if (Math.abs(down) > START_PX) return end();
      if (Math.abs(right) < START_PX) return;
    }
    const action = right > 0 ? starring(swipe.memory) : archiving(swipe.memory);
    const isDone = Math.abs(right) >= Math.min(DONE_PX, row.clientWidth * DONE_SHARE);
    row.dataset.swipe = action.name;
    row.classList.toggle('swiped-left', right < 0);
    row.classList.toggle('swiped-enough', isDone);
    row.style.setProperty('--swipe', `${right}px`);
    swipe.action = isDone ? action : null;
  });

  list.addEventListener('pointerup', ({ pointerId }) => {
    if (swipe?.pointerId !== pointerId) return;
    const { action } = swipe;
    end();
    if (action !== null) void succeeds(action.run());
  });
  list.addEventListener('pointercancel', () => end());

  const onClick = (event: MouseEvent) => {
    const memory = memoryAt(event.target);
    if (!isTouch || !isSelecting.peek() || memory === undefined || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    event.stopPropagation();
    toggleSelected(memory.id);
  };
  list.addEventListener('click', onClick, { capture: true });

  function end(): void {
    const row = swipe?.row;
    swipe = null;
    if (row === undefined) return;
    delete row.dataset.swipe;
    row.classList.remove('swiped-left', 'swiped-enough');
    row.style.removeProperty('--swipe');
  }
}

/** The memory whose row or card an event is in. */
function memoryAt(target: EventTarget | null): Item | undefined {
  const index = target instanceof Element ? target.closest<HTMLElement>('[data-index]')?.dataset.index : undefined;
  return items.peek()?.[Number(index)];
}

function starring({ id, starred }: Item): Action {
  return { name: starred ? 'Remove star' : 'Star', run: () => starMemories([id], !starred) };
}

function archiving({ id, place }: Item): Action {
  const to: Place = place === 'archive' ? 'inbox' : 'archive';
  return { name: placeLabels[to].name, run: () => moveMemories([id], to) };
}
