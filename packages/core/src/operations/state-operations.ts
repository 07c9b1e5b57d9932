import type { PluginAction, PluginActionOf, ResponseOf } from '@recollect/contract';
import { describeInterval } from '@recollect/contract/text';
import type { ApiKeys } from '../access/api-keys.js';
import type { Pairings } from '../access/pairings.js';
import type { Backups } from '../backups/backups.js';
import { RecollectError } from '../error.js';
import type { StatusUseCase } from '../health/status.js';
import type { Indexing } from '../indexing/reindex.js';
import type { Models } from '../models.js';
import type { Audit } from '../people/audit.js';
import type { People } from '../people/people.js';
import type { Jobs } from '../plugins/jobs.js';
import type { Plugins } from '../plugins/plugins.js';
import type { StatisticsUseCase } from '../statistics.js';
import type { OperationHandlers } from './operation-call.js';

type StateOperation =
  | 'status'
  | 'statistics'
  | 'reindexState'
  | 'reindex'
  | 'getModel'
  | 'chooseModel'
  | 'listBackups'
  | 'createBackup'
  | 'previewRestore'
  | 'restoreBackup';

interface StateUseCases {
  status: StatusUseCase;
  statistics: StatisticsUseCase;
  indexing: Indexing;
  models: Models;
  backups: Backups;
  audit: Audit;
}

/** The state of the deployment, its embeddings and its backups. */
export function stateOperations(
  { status, statistics, indexing, models, backups, audit }: StateUseCases,
  { version, stopping }: { version: string; stopping: AbortSignal },
): OperationHandlers<StateOperation> {
  return {
    status: async ({ userId }) => ({ version, ...(await status(userId)) }),
    statistics: ({ userId }) => statistics(userId),
    reindexState: ({ userId }) => indexing.state(userId),
    async reindex({ userId, body, reply }) {
      if (body?.runNow === false) {
        reply.code(202);
        return indexing.queue(userId);
      }
      return indexing.reindex(userId, { batchSize: body?.batchSize ?? undefined });
    },
    getModel: async () => models.state(),
    async chooseModel({ userId, body, reply }) {
      const { state, isChanging } = await models.choose(body.model);
      await audit.record(userId, 'chooseModel', body.model);
      if (isChanging) reply.code(202);
      return state;
    },
    listBackups: () => backups.list(),
    async createBackup({ userId }) {
      const backup = await backups.create({ signal: stopping });
      await audit.record(userId, 'createBackup', null);
      return backup;
    },
    previewRestore: ({ parameters: { name }, signal }) =>
      backups.previewRestore(name, AbortSignal.any([signal, stopping])),
    async restoreBackup({ userId, parameters: { name }, signal }) {
      await backups.restore(name, AbortSignal.any([signal, stopping]));
      // In the former store, which the log is a part of.
      await audit.record(userId, 'restoreBackup', name);
      return { name };
    },
  };
}

/** KEY-1, KEY-4. */
export function accessOperations({
  apiKeys,
  pairings,
}: {
  apiKeys: ApiKeys;
  pairings: Pairings;
}): OperationHandlers<'createApiKey' | 'listApiKeys' | 'revokeApiKey' | 'createPairing' | 'pairingState'> {
  return {
    createPairing: ({ userId }) => pairings.create(userId),
    pairingState: ({ userId, parameters }) => pairings.state(userId, parameters.id),
    createApiKey: ({ userId, body }) => apiKeys.create(userId, body ?? {}),
    listApiKeys: ({ userId }) => apiKeys.list(userId),
    async revokeApiKey({ userId, parameters }) {
      await apiKeys.revoke(userId, parameters.id);
      return undefined;
    },
  };
}

type Answer = ResponseOf<'pluginAction'>;
type Actions = { [Action in PluginAction]: (userId: string, body: PluginActionOf<Action>) => Promise<Answer> };

/** Actions that concern the caller's own memories only. */
const OWN_ACTIONS: readonly PluginAction[] = ['run-job', 'configure-job-schedule', 'switch-on', 'switch-off'];

/** PLG-1 to PLG-5. A run is cancelled only when the process stops, not when the client disconnects. */
export function pluginOperations(
  { plugins, jobs, people, audit }: { plugins: Plugins; jobs: Jobs; people: People; audit: Audit },
  { stopping }: { stopping: AbortSignal },
): OperationHandlers<'listPlugins' | 'pluginAction' | 'pluginRuns'> {
  const actions: Actions = {
    async 'run-job'(userId, { slug, jobId }) {
      const result = await jobs.run(userId, slug, jobId, { signal: stopping });
      return { message: `${jobId} of ${slug} finished: ${result.status}.`, jobId, result };
    },
    async 'configure-job-schedule'(userId, { slug, jobId, enabled, intervalMinutes }) {
      const schedule = await jobs.schedule(userId, slug, jobId, { enabled, intervalMinutes: intervalMinutes ?? null });
      const message = enabled
        ? `${jobId} of ${slug} runs ${describeInterval(schedule.intervalMinutes)}.`
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
      await people.requireOperator(userId);
      return { message: `${slug} is enabled.`, plugin: await plugins.enable(userId, slug, { allow: allow ?? null }) };
    },
    async disable(userId, { slug }) {
      await people.requireOperator(userId);
      return { message: `${slug} is disabled.`, plugin: await plugins.disable(userId, slug) };
    },
    async 'switch-on'(userId, { slug }) {
      return { message: `${slug} gets your captures.`, plugin: await plugins.setUse(userId, slug, true) };
    },
    async 'switch-off'(userId, { slug }) {
      return { message: `${slug} no longer gets your captures.`, plugin: await plugins.setUse(userId, slug, false) };
    },
    async configure(userId, { slug, config }) {
      await people.requireOperator(userId);
      return { message: `${slug} is configured.`, plugin: await plugins.configure(userId, slug, config) };
    },
  };
  return {
    listPlugins: ({ userId }) => plugins.list(userId),
    async pluginAction({ userId, body, reply }) {
      const { action } = (body ?? {}) as { action?: PluginAction };
      // A list of one name would count as the name.
      if (typeof action !== 'string' || !Object.hasOwn(actions, action)) {
        const actionNames = Object.keys(actions).join(', ');
        throw new RecollectError('ACTION_UNKNOWN', `Unknown action. Send one of: ${actionNames}.`, {
          errors: [{ pointer: '/action', message: `must be one of: ${actionNames}` }],
        });
      }
      reply.code(action === 'install' ? 201 : 200);
      const act: (userId: string, body: never) => Promise<Answer> = actions[action];
      const answer = await act(userId, body as never);
      if (!OWN_ACTIONS.includes(action)) await audit.record(userId, action, (body as { slug: string }).slug);
      return answer;
    },
    pluginRuns: ({ userId, parameters, query }) => plugins.runs(userId, parameters.slug, query.jobId ?? null),
  };
}
