import type { Core } from '@recollect/core';
import { startBackground } from './background.js';
import { createCaptureActivity } from './capture-activity.js';
import { createReportError } from './report-error.js';

export interface RunningWorker {
  /** Stops after the present work and releases the leases. */
  close(): Promise<void>;
}

/**
 * Does the work of a server that no request waits for: indexing, events, scheduled jobs and cleaning. Any number of
 * workers and servers share it by leases.
 *
 * @param log writes a line to the log
 */
export function startWorker(core: Core, log: (line: string) => void): RunningWorker {
  const report = createReportError(
    { error: (details, message) => log(`${message} ${JSON.stringify(details)}`) },
    core.errors,
  );
  const background = startBackground(core, { runs: true, activity: createCaptureActivity(), report, warn: log });
  return {
    async close() {
      await background.stop();
      await core.errors.flush();
    },
  };
}
