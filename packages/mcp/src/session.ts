import type { Core } from '@recollect/core';
import type { Caller } from './caller.js';

/** What messages of one client are answered with. */
export interface Session {
  core: Core;
  caller: Caller;
  /** Told of errors that are nobody's fault outside. */
  report: (error: unknown) => void;
}
