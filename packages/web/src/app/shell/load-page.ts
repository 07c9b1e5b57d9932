import { onReconnect, reportUnreachable } from '../api/connection.js';
import { announceFailure } from '../state/status.js';

/** Loads the code of a page. If the server does not answer, says so, and tries again as soon as it does. */
export async function loadPage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    announceFailure('This page could not be loaded. It appears as soon as Recollect answers.');
    reportUnreachable();
    await new Promise<void>((resolve) => {
      const stop = onReconnect(() => {
        stop();
        resolve();
      });
    });
    return load();
  }
}
