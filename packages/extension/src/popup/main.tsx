import { render } from 'preact';
import { isFromStore, readSetup } from '../saving/setup.js';
import { Popup } from './popup.js';
import { Unconnected } from './unconnected.js';

/** Milliseconds after which the popup renders even if nothing was painted, as in a background tab. */
const MAX_PAINT_WAIT = 100;

const root = document.getElementById('popup');
if (root === null) throw new Error('popup.html has no #popup element.');

let isStarted = false;
async function start(place: HTMLElement): Promise<void> {
  if (isStarted) return;
  isStarted = true;
  const isUnconnected = isFromStore() && (await readSetup()) === null;
  place.replaceChildren();
  render(isUnconnected ? <Unconnected /> : <Popup />, place);
}

// The browser first paints the header in popup.html, which looks the same as the final one.
requestAnimationFrame(() => setTimeout(() => void start(root)));
setTimeout(() => void start(root), MAX_PAINT_WAIT);
