import type { ReadingMode } from '../reading.js';
import type { Additions } from './to-capture.js';

/**
 * How far a window has got with a capture. If it is closed, the service worker does the rest. `reading`: the page has
 * yet to be read and kept, with `additions` that are in no draft. `waiting`: the capture has yet to be sent, and then
 * its `additions` are no longer a draft. `done`: nothing is left to do.
 */
export type WindowWork =
  | { stage: 'reading'; tabId: number; additions: Additions; mode: ReadingMode | null }
  | { stage: 'waiting'; key: string; url: string; additions: Additions }
  | { stage: 'done' };

/** Returns a function that tells the service worker how far this window has got. `done` ends it. */
export function startWindowWork(): (work: WindowWork) => void {
  const port = chrome.runtime.connect();
  return (work) => {
    try {
      port.postMessage(work);
      if (work.stage === 'done') port.disconnect();
    } catch {
      // The browser has ended the service worker in between.
    }
  };
}
