import type { Core } from '@recollect/core';
import type { Caller } from './caller.js';

/** The dependencies of the handlers of a client's messages. */
export interface Session {
  core: Core;
  caller: Caller;
  /** Receives internal errors, which the client did not cause. */
  report: (error: unknown) => void;
}
