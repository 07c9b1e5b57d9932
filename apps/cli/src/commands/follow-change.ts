import type { ChangeRun } from '@recollect/contract';
import type { FollowOptions } from '@recollect/contract/follow-change';
import type { CallOperation } from '../executor/executor.js';
import { type Progress, showProgress } from '../terminal/progress.js';

/** How a command follows a change of many memories: with a bar on a terminal, unless it is quiet. */
export function followWith(call: CallOperation, isQuiet = false): FollowOptions {
  let bar: Progress | null = null;
  return {
    async read(changeId) {
      const run: ChangeRun = await call('changeState', { parameters: { id: changeId } });
      if (run.state !== 'running') bar?.stop(`${run.examined} of ${run.matched ?? run.examined}`);
      return run;
    },
    onProgress({ examined, matched }) {
      bar ??= showProgress(matched, isQuiet);
      bar.update(examined, `${examined} of ${matched} memories`);
    },
  };
}
