import { RecollectError } from '@recollect/core';

/** Aborts when the user or the system asks the process to stop. A second signal is ignored. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

/** Replaces an error by "Stopped" if the user has stopped the work, which has changed nothing yet. */
export function unlessStopped(signal: AbortSignal, error: unknown): unknown {
  return signal.aborted ? stopped() : error;
}

/** Throws if the user has stopped the work, which has changed nothing yet. */
export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw stopped();
}

function stopped(): RecollectError {
  return new RecollectError('UNAVAILABLE', 'Stopped. Nothing was changed.');
}
