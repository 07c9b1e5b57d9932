import { BAR_ELEMENT } from './messages.js';

/** Pixels between the selection and the bar, and between the bar and the edge of the window. */
const GAP_PX = 8;
/** Milliseconds that a result is shown. */
const RESULT_MS = 8_000;

/** Against rules of the page, which reach the element itself. */
const HOST_STYLE = { all: 'initial', 'color-scheme': 'light dark', display: 'block', position: 'fixed' };

/** A small bar at the selection: a button that highlights it, then what came of it. */
export interface Bar {
  /** Offers to highlight a selection. */
  offer(range: Range): void;
  /** Shows a message at a selection until the next one, or for a moment if it is a result. */
  say(selected: Range, text: string, options?: { isResult?: boolean; onUndo?: () => void }): void;
  /** Takes the offer back. A message stays. */
  withdraw(): void;
  hide(): void;
}

/**
 * Creates the bar. It is in a closed shadow root, so that neither the styles nor the scripts of the page reach it, and
 * in the document only while it is shown. Its button is the last of the page that Tab reaches.
 */
export function createBar(onHighlight: () => void, signal: AbortSignal): Bar {
  const host = document.createElement(BAR_ELEMENT);
  host.setAttribute('popover', 'manual');
  const root = host.attachShadow({ mode: 'closed' });
  const button = createButton('Highlight');
  const key = document.createElement('kbd');
  key.setAttribute('part', 'key');
  key.textContent = 'h';
  button.append(' ', key);
  button.setAttribute('aria-keyshortcuts', 'h');
  const text = document.createElement('span');
  text.setAttribute('part', 'text');
  text.setAttribute('role', 'status');
  const undo = createButton('Undo');
  const bar = document.createElement('div');
  bar.setAttribute('part', 'bar');
  bar.append(button, text, undo);
  root.append(bar);
  const style = (name: string, value: string) => host.style.setProperty(name, value, 'important');
  for (const [name, value] of Object.entries(HOST_STYLE)) style(name, value);

  let range: Range | null = null;
  let undoLast = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Clicks that a script of the page invents do nothing. */
  const onClick = (element: HTMLElement, work: () => void) => {
    element.addEventListener('pointerdown', (event) => event.preventDefault());
    element.addEventListener('click', (event) => {
      if (event.isTrusted) work();
    });
  };
  onClick(button, onHighlight);
  onClick(undo, () => undoLast());

  const place = () => {
    if (range === null || !host.isConnected) return;
    const box = range.getBoundingClientRect();
    const { width, height } = host.getBoundingClientRect();
    const isAbove = box.bottom + GAP_PX + height > window.innerHeight;
    const top = isAbove ? box.top - GAP_PX - height : box.bottom + GAP_PX;
    const within = (value: number, most: number) => Math.max(GAP_PX, Math.min(value, most - GAP_PX));
    style('top', `${within(top, window.innerHeight - height)}px`);
    style('left', `${within(box.left, window.innerWidth - width)}px`);
  };
  const show = (state: 'offer' | 'message' | 'undo') => {
    clearTimeout(timer);
    button.hidden = state !== 'offer';
    text.hidden = state === 'offer';
    undo.hidden = state !== 'undo';
    if (!host.isConnected) document.documentElement.append(host);
    // Above the dialogs of the page.
    if (!host.matches(':popover-open')) host.showPopover();
    place();
  };
  const hide = () => {
    clearTimeout(timer);
    host.remove();
    text.textContent = '';
  };

  for (const event of ['scroll', 'resize'])
    window.addEventListener(event, place, { signal, passive: true, capture: true });
  signal.addEventListener('abort', hide);

  return {
    offer(selected) {
      range = selected;
      text.textContent = '';
      show('offer');
    },
    say(selected, message, { isResult = false, onUndo } = {}) {
      range = selected;
      undoLast = onUndo ?? undoLast;
      show(onUndo === undefined ? 'message' : 'undo');
      text.textContent = message;
      place();
      if (isResult) timer = setTimeout(hide, RESULT_MS);
    },
    withdraw() {
      if (!button.hidden) hide();
    },
    hide,
  };
}

function createButton(label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('part', 'button');
  button.append(label);
  return button;
}
