import { render } from 'preact';
import { Popup } from './popup.js';

/** Milliseconds after which the popup renders even if nothing was painted, as in a background tab. */
const MAX_PAINT_WAIT = 100;

const root = document.getElementById('popup');
if (root === null) throw new Error('popup.html has no #popup element.');

let isStarted = false;
function start(place: HTMLElement): void {
  if (isStarted) return;
  isStarted = true;
  place.replaceChildren();
  render(<Popup />, place);
}

// The browser first paints the header in popup.html, which looks the same as the final one.
requestAnimationFrame(() => setTimeout(() => start(root)));
setTimeout(() => start(root), MAX_PAINT_WAIT);
