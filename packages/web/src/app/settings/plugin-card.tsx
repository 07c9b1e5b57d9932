import type { ResponseOf } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { describeInterval } from '@recollect/contract/text';
import { Age, Button } from '@recollect/ui';
import { longDate } from '@recollect/ui/dates';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { ask } from '../dialogs/ask.js';
import { announceFailure } from '../state/status.js';
import type { Act, Plugin } from './plugin-action.js';
import { PluginConfiguration } from './plugin-configuration.js';

/** An installed plugin: switch it on and off, configure it, run and schedule its jobs, and see its history. */
export function PluginCard({ plugin, act, isOperator }: { plugin: Plugin; act: Act; isOperator: boolean }) {
  const { slug, title, description, state, jobs, events, suspension } = plugin;
  const [runs, setRuns] = useState<ResponseOf<'pluginRuns'>['runs'] | null>(null);
  const isActive = state === 'active';
  const showRuns = async () => {
    if (runs !== null) return setRuns(null);
    try {
      setRuns((await client('pluginRuns', { parameters: { slug }, query: {} })).runs);
    } catch (error) {
      announceFailure(explain(error));
    }
  };
  const uninstall = async () => {
    const answer = await ask({
      title: `Uninstall ${title}?`,
      text: 'Its schedules and its own data are removed. The memories that it saved stay.',
      action: 'Uninstall',
      isDangerous: true,
    });
    if (answer !== null) await act({ action: 'uninstall', slug });
  };
  return (
    <section class="card plugin" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="soft">{state}</span>
        {isOperator && (
          <>
            <Button
              aria-label={`${isActive ? 'Disable' : 'Enable'} ${title}`}
              onClick={() =>
                void act(
                  { action: isActive ? 'disable' : 'enable', slug },
                  suspension === null ? { action: isActive ? 'enable' : 'disable', slug } : undefined,
                )
              }
            >
              {isActive ? 'Disable' : 'Enable'}
            </Button>
            <Button variant="danger" aria-label={`Uninstall ${title}`} onClick={() => void uninstall()}>
              Uninstall
            </Button>
          </>
        )}
        {plugin.observesCaptures && (!isOperator || !plugin.isOn) && <OwnSwitch plugin={plugin} act={act} />}
      </header>
      {description !== null && <p class="soft">{description}</p>}
      {suspension !== null && <p class="warning">Suspended: {suspension.reason}</p>}
      {events.lastError !== null && <p class="warning">Its last event failed: {events.lastError}</p>}
      {isActive && jobs.map((job) => <PluginJob key={job.jobId} slug={slug} job={job} act={act} />)}
      {isOperator && <PluginConfiguration plugin={plugin} act={act} />}
      <Button variant="quiet" icon="clock" aria-expanded={runs !== null} onClick={() => void showRuns()}>
        History
      </Button>
      {runs !== null && (
        <ul aria-label={`Runs of ${title}`} class="plain-list">
          {runs.length === 0 && <li>It has not run yet.</li>}
          {runs.slice(0, 20).map((run) => (
            <li key={run.id}>
              {run.jobId}: {run.status} <Age instant={run.finishedAt} style="long" /> <bdi>{run.summary}</bdi>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The switch of a person for a plugin that the operator has installed. */
function OwnSwitch({ plugin: { slug, title, isOn }, act }: { plugin: Plugin; act: Act }) {
  const [now, other] = isOn ? (['switch-off', 'switch-on'] as const) : (['switch-on', 'switch-off'] as const);
  return (
    <Button
      aria-label={`${isOn ? 'Stop giving' : 'Give'} my captures to ${title}`}
      aria-pressed={isOn}
      onClick={() => void act({ action: now, slug }, { action: other, slug })}
    >
      {isOn ? 'Gets my captures' : 'Give it my captures'}
    </Button>
  );
}

/** Minutes between runs that are offered. The command line and the interface take any other. */
const INTERVAL_CHOICES = [15, 60, 360, limits.jobs.intervalMinutes.default, 10_080];
const OFF = 'off';

/** A job of a plugin: run it now, or on a schedule. */
function PluginJob({ slug, job, act }: { slug: string; job: Plugin['jobs'][number]; act: Act }) {
  const { jobId, title, defaultIntervalMinutes, schedule, lastRun } = job;
  const [isRunning, setRunning] = useState(false);
  const isEnabled = schedule?.enabled === true;
  const minutes = schedule?.intervalMinutes ?? defaultIntervalMinutes;
  const offered = [...new Set([...INTERVAL_CHOICES, defaultIntervalMinutes, minutes])].sort((a, b) => a - b);
  const configure = (interval: string) => {
    const action = { action: 'configure-job-schedule', slug, jobId } as const;
    const enabled = interval !== OFF;
    void act(
      { ...action, enabled, intervalMinutes: enabled ? Number(interval) : minutes },
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
