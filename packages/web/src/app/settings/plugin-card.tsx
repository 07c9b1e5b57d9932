import type { ResponseOf } from '@recollect/contract';
import { Age, Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { client, explain } from '../api/client.js';
import { ask } from '../dialogs/ask.js';
import { announceFailure } from '../state/status.js';
import type { Act, Plugin } from './plugin-action.js';
import { PluginConfiguration } from './plugin-configuration.js';
import { PluginJob } from './plugin-job.js';

/** An installed plugin: switch it on and off, configure it, run and schedule its jobs, and see its history. */
export function PluginCard({ plugin, act }: { plugin: Plugin; act: Act }) {
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
    <section class="plugin" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="soft">{state}</span>
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
      </header>
      {description !== null && <p class="soft">{description}</p>}
      {suspension !== null && <p class="warning">Suspended: {suspension.reason}</p>}
      {events.lastError !== null && <p class="warning">Its last event failed: {events.lastError}</p>}
      {isActive && jobs.map((job) => <PluginJob key={job.jobId} slug={slug} job={job} act={act} />)}
      <PluginConfiguration plugin={plugin} act={act} />
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
