import { limits } from '@recollect/contract/limits';
import { describeInterval } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { useState } from 'preact/hooks';
import type { Act, Plugin } from './plugin-action.js';

/** Minutes between runs that are offered. The command line and the interface take any other. */
const OFFERED = [15, 60, 360, limits.jobs.intervalMinutes.default, 10_080];
const OFF = 'off';

/** A job of a plugin: run it now, or on a schedule. */
export function PluginJob({ slug, job, act }: { slug: string; job: Plugin['jobs'][number]; act: Act }) {
  const { jobId, title, defaultIntervalMinutes, schedule, lastRun } = job;
  const [isRunning, setRunning] = useState(false);
  const isEnabled = schedule?.enabled === true;
  const minutes = schedule?.intervalMinutes ?? defaultIntervalMinutes;
  const offered = [...new Set([...OFFERED, defaultIntervalMinutes, minutes])].sort((a, b) => a - b);
  const configure = (chosen: string) => {
    const action = { action: 'configure-job-schedule', slug, jobId } as const;
    const enabled = chosen !== OFF;
    void act(
      { ...action, enabled, intervalMinutes: enabled ? Number(chosen) : minutes },
      { ...action, enabled: isEnabled, intervalMinutes: minutes },
    );
  };
  return (
    <div class="plugin-job">
      <div>
        <strong>{title}</strong>
        <p class="soft">
          {lastRun === null ? (
            'Never run.'
          ) : (
            <>
              Last run <Age instant={lastRun.finishedAt} style="long" />: {lastRun.status}.
            </>
          )}
          {isEnabled && schedule.nextRunAt !== null && ` Next: ${longDate(schedule.nextRunAt)}.`}
        </p>
      </div>
      <label>
        <span class="hidden">Schedule of {title}</span>
        <select
          class="field"
          value={isEnabled ? String(minutes) : OFF}
          onChange={(event) => configure(event.currentTarget.value)}
        >
          <option value={OFF}>only on request</option>
          {offered.map((every) => (
            <option key={every} value={String(every)}>
              {describeInterval(every)}
            </option>
          ))}
        </select>
      </label>
      <Button
        aria-label={`Run now: ${title}`}
        disabled={isRunning}
        onClick={() => {
          setRunning(true);
          void act({ action: 'run-job', slug, jobId }).then(() => setRunning(false));
        }}
      >
        Run now
      </Button>
    </div>
  );
}
