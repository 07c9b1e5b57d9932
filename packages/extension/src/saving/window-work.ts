import type { ReadingMode } from '../reading.js';
import type { Additions } from './to-capture.js';

/**
 * How far a window has come with a capture, which the service worker goes on with if the window is closed: the page is still to be
 * read and kept, the capture waits to be sent, or nothing is left to do.
 */
export type WindowWork =
  | { stage: 'reading'; tabId: number; additions: Additions; mode: ReadingMode | null }
  | { stage: 'waiting' }
  | { stage: 'done' };

/** Returns a function that tells the service worker how far this window has come. `done` ends it. */
export function startWindowWork(): (work: WindowWork) => void {
  const port = chrome.runtime.connect();
  return (work) => {
    try {
      port.postMessage(work);
      if (work.stage === 'done') port.disconnect();
    } catch {
      // The browser has ended the service worker meanwhile.
    }
  };
}
