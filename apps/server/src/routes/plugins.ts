import type { PluginAction, PluginActionOf } from '@recollect/contract';
import { pluginActionOf, pluginActions } from '@recollect/contract';
import { type Core, RecollectError } from '@recollect/core';
import { type App, bindOperation, type HandlerInput } from '../bind-operation.js';

type Answer = Awaited<ReturnType<Parameters<typeof bindOperation<'pluginAction'>>[2]>>;
type Actions = { [Action in PluginAction]: (userId: string, body: PluginActionOf<Action>) => Promise<Answer> };

/** PLG-1 to PLG-5. A run is cancelled only when the server stops, not when the client disconnects. */
export function pluginRoutes(
  app: App,
  { plugins, jobs, events }: Core,
  { stopping, report }: { stopping: AbortSignal; report: (work: string, error: unknown) => void },
): void {
  const actions: Actions = {
    async 'run-job'(userId, { slug, jobId }) {
      const result = await jobs.run(userId, slug, jobId, { signal: stopping });
      return { message: `${jobId} of ${slug} finished: ${result.status}.`, jobId, result };
    },
    async 'configure-job-schedule'(userId, { slug, jobId, enabled, intervalMinutes }) {
      const schedule = await jobs.schedule(userId, slug, jobId, { enabled, intervalMinutes: intervalMinutes ?? null });
      const message = enabled
        ? `${jobId} of ${slug} runs every ${schedule.intervalMinutes === 1 ? 'minute' : `${schedule.intervalMinutes} minutes`}.`
        : `${jobId} of ${slug} is no longer scheduled.`;
      return { message, jobId, schedule };
    },
    async install(userId, { slug, sha256, allow }) {
      const plugin = await plugins.install(userId, { slug }, { sha256: sha256 ?? null, allow: allow ?? null });
      return { message: `${slug} is installed.`, plugin };
    },
    async uninstall(_, { slug }) {
      await plugins.uninstall(slug);
      return { message: `${slug} is uninstalled. The memories that it saved are kept.`, slug };
    },
    async enable(userId, { slug, allow }) {
      return { message: `${slug} is enabled.`, plugin: await plugins.enable(userId, slug, { allow: allow ?? null }) };
    },
    async disable(userId, { slug }) {
      return { message: `${slug} is disabled.`, plugin: await plugins.disable(userId, slug) };
    },
    async configure(userId, { slug, config }) {
      return { message: `${slug} is configured.`, plugin: await plugins.configure(userId, slug, config) };
    },
  };

  bindOperation(app, 'listPlugins', ({ identity }) => plugins.list(identity.userId));
  bindOperation(app, 'pluginAction', async ({ identity, body, reply }: HandlerInput<'pluginAction'>) => {
    const action = pluginActionOf(body);
    if (action === null) {
      const known = Object.keys(pluginActions).join(', ');
      throw new RecollectError('ACTION_UNKNOWN', `Unknown action. Send one of: ${known}.`, {
        errors: [{ pointer: '/action', message: `must be one of: ${known}` }],
      });
    }
    reply.code(action === 'install' ? 201 : 200);
    const act: (userId: string, body: never) => Promise<Answer> = actions[action];
    return act(identity.userId, body as never);
  });
  bindOperation(app, 'pluginRuns', ({ identity, parameters, query }) =>
    plugins.runs(identity.userId, parameters.slug, query.jobId ?? null),
  );
  bindOperation(app, 'runDueJobs', async ({ identity, body }) => {
    const answer = await jobs.runDue({
      userId: identity.userId,
      signal: stopping,
      limit: body?.limit ?? undefined,
    });
    // If cron runs the jobs, it relies on this call for the events too. The response does not wait for them.
    void events.deliver({ signal: stopping }).catch((error) => report('deliver events', error));
    return answer;
  });
}
