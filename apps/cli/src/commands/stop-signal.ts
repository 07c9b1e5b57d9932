import { RecollectError } from '@recollect/core';

/** Aborts when the user or the system asks the process to stop. A second signal is ignored. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

/** The error of work that may have been stopped before it changed anything. */
export function unlessStopped(signal: AbortSignal, error: unknown): unknown {
  return signal.aborted ? new RecollectError('UNAVAILABLE', 'Stopped. Nothing was changed.') : error;
}
