import type { Status } from '@recollect/contract';
import type { CorePorts } from '../core-ports.js';
import type { Indexing } from '../indexing/reindex.js';
import type { Plugins } from '../plugins/plugins.js';

/** The state of the store, the index, the model and the plugins, without the version of the program. */
export type StatusVerb = (userId: string) => Promise<Omit<Status, 'version'>>;

/** Makes the verb that describes a deployment for its owner. */
export function createStatus(
  { inspector, embeddingModel }: Pick<CorePorts, 'inspector' | 'embeddingModel'>,
  { indexing, plugins }: { indexing: Indexing; plugins: Plugins },
): StatusVerb {
  return async (userId) => {
    const [store, counts, embeddings, { plugins: known }] = await Promise.all([
      inspector.facts(),
      inspector.counts(userId),
      indexing.state(userId),
      plugins.list(userId),
    ]);
    return {
      store,
      ...counts,
      model: embeddingModel?.id ?? null,
      embeddings,
      plugins: {
        active: known.filter(({ state }) => state === 'active').length,
        failures: known.flatMap(({ slug, suspension, events, jobs }) => {
          const failed = jobs
            .map(({ lastRun }) => lastRun)
            .find((run) => run?.status === 'failed' || run?.status === 'timeout');
          const reason = suspension?.reason ?? events.lastError ?? failed?.summary;
          return reason === undefined ? [] : [{ slug, reason }];
        }),
      },
    };
  };
}
