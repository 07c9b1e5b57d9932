import { announceFailure } from '../state/status.js';

/** Whether this browser can show a page on the full screen. Phones often cannot. */
export function canFillScreen(): boolean {
  return document.fullscreenEnabled === true;
}

/** Shows only the reader, on the full screen, or goes back to the window. */
export async function toggleFullScreen(): Promise<void> {
  try {
    if (document.fullscreenElement === null) await document.documentElement.requestFullscreen();
    else await document.exitFullscreen();
  } catch {
    announceFailure('The browser did not allow the full screen.');
  }
}
