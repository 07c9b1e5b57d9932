import type { Status } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { Backups } from '../backups/backups.js';
import type { Indexing } from '../indexing/reindex.js';
import type { Plugins } from '../plugins/plugins.js';
import type { CorePorts } from '../ports/core-ports.js';
import { describeProblem } from './describe-problem.js';
import type { ErrorRecorder } from './error-recorder.js';

/** Damaged memories that are named. */
const MAX_REPORTED_DAMAGED = 20;

/** The state of the store, the index, the model and the plugins, without the version of the program. */
export type StatusUseCase = (userId: string) => Promise<Omit<Status, 'version'>>;

/** Makes the use case that describes a deployment for its owner. */
export function createStatus(
  {
    inspector,
    embeddingModel,
    integrity,
    newestBackup,
    pictures,
  }: Pick<CorePorts, 'inspector' | 'embeddingModel' | 'integrity' | 'newestBackup' | 'pictures'>,
  {
    indexing,
    plugins,
    backups,
    errors,
  }: { indexing: Indexing; plugins: Plugins; backups: Backups; errors: ErrorRecorder },
): StatusUseCase {
  return async (userId) => {
    const storeProblem = inspector.problem();
    const [store, counts, embeddings, installed, latestErrors, backupState, damaged, round, problem, pictureSize] =
      await Promise.all([
        inspector.facts(),
        inspector.counts(userId),
        indexing.state(userId),
        plugins.listInstalled(userId),
        errors.latest(limits.errors.shown),
        backups.state(),
        integrity.damaged(MAX_REPORTED_DAMAGED),
        integrity.round(),
        storeProblem === null ? null : describeProblem(storeProblem, newestBackup),
        pictures.size(userId),
      ]);
    return {
      store: { ...store, problem },
      damaged: damaged.filter((memory) => memory.userId === userId).map(({ id, foundAt }) => ({ id, foundAt })),
      check: round === null ? null : { startedAt: round.startedAt, finishedAt: round.finishedAt },
      ...counts,
      pictures: pictureSize,
      model: embeddingModel?.id ?? null,
      embeddings,
      backups: backupState,
      plugins: {
        active: installed.filter(({ state }) => state === 'active').length,
        failures: installed.flatMap(({ slug, suspension, events, jobs }) => {
          const failed = jobs
            .map(({ lastRun }) => lastRun)
            .find((run) => run?.status === 'failed' || run?.status === 'timeout');
          const reason = suspension?.reason ?? events.lastError ?? failed?.summary;
          return reason === undefined ? [] : [{ slug, reason }];
        }),
      },
      errors: latestErrors.map((error) => ({ ...error, frames: [...error.frames] })),
    };
  };
}
