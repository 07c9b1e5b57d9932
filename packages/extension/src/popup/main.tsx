import { render } from 'preact';
import { Popup } from './popup.js';

/** Milliseconds after which the window is drawn though nothing was painted, as in a tab that is not shown. */
const LATEST = 100;

const root = document.getElementById('popup');
if (root === null) throw new Error('popup.html has no place for the popup.');

let isStarted = false;
function start(place: HTMLElement): void {
  if (isStarted) return;
  isStarted = true;
  place.replaceChildren();
  render(<Popup />, place);
}

// What stands in popup.html is painted first: the head of the window, as it will be.
requestAnimationFrame(() => setTimeout(() => start(root)));
setTimeout(() => start(root), LATEST);
