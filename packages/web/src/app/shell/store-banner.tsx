import { Icon } from '@recollect/ui';
import { storeProblem } from '../api/store-problem.js';

/** Says on every page that the store accepts no changes, and why. */
export function StoreBanner() {
  return (
    <div role="alert" class="store-banner" hidden={storeProblem.value === null}>
      {storeProblem.value !== null && (
        <>
          <Icon name="warning" />
          <p>
            {storeProblem.value} <a href="/docs/reliability">What to do</a>
          </p>
        </>
      )}
    </div>
  );
}
