import { limits } from '@recollect/contract/limits';
import { Age, Button } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { useState } from 'preact/hooks';
import type { Act, Plugin } from './plugin-action.js';

const { minimum, maximum } = limits.jobs.intervalMinutes;

/** A job of a plugin: run it now, or on a schedule. */
export function PluginJob({ slug, job, act }: { slug: string; job: Plugin['jobs'][number]; act: Act }) {
  const { jobId, title, defaultIntervalMinutes, schedule, lastRun } = job;
  const [minutes, setMinutes] = useState(schedule?.intervalMinutes ?? defaultIntervalMinutes);
  const [isRunning, setRunning] = useState(false);
  const isEnabled = schedule?.enabled === true;
  const configure = (enabled: boolean, intervalMinutes: number) =>
    act(
      { action: 'configure-job-schedule', slug, jobId, enabled, intervalMinutes },
      {
        action: 'configure-job-schedule',
        slug,
        jobId,
        enabled: isEnabled,
        intervalMinutes: schedule?.intervalMinutes ?? defaultIntervalMinutes,
      },
    );
  return (
    <div class="plugin-job">
      <p>
        <strong>{title}</strong>
        {lastRun !== null && (
          <span class="soft">
            {' '}
            last run: {lastRun.status} <Age instant={lastRun.finishedAt} />
          </span>
        )}
        {isEnabled && schedule.nextRunAt !== null && <span class="soft"> next: {longDate(schedule.nextRunAt)}</span>}
      </p>
      <div class="form-row">
        <Button
          aria-label={`Run ${title} now`}
          disabled={isRunning}
          onClick={() => {
            setRunning(true);
            void act({ action: 'run-job', slug, jobId }).then(() => setRunning(false));
          }}
        >
          Run now
        </Button>
        <label>
          <input
            type="checkbox"
            checked={isEnabled}
            onChange={(event) => void configure(event.currentTarget.checked, minutes)}
          />{' '}
          every
        </label>
        <input
          class="field minutes"
          type="number"
          aria-label={`Minutes between runs of ${title}`}
          min={minimum}
          max={maximum}
          value={minutes}
          onInput={(event) => setMinutes(event.currentTarget.valueAsNumber)}
          onChange={() => {
            if (isEnabled && minutes >= minimum && minutes <= maximum) void configure(true, minutes);
          }}
        />
        <span>minutes</span>
      </div>
    </div>
  );
}
