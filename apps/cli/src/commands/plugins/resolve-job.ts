import type { Plugin } from '@recollect/contract';
import { InvalidOptionError } from '../command.js';

/** Returns the given job, or the plugin's only one. */
export function resolveJob(plugins: readonly Plugin[], slug: string, given: string | undefined): string {
  if (given !== undefined) return given;
  const known = plugins.find((plugin) => plugin.slug === slug)?.jobs ?? [];
  const [only, ...others] = known;
  if (only !== undefined && others.length === 0) return only.jobId;
  // Core reports an unknown plugin, or one without jobs, when the job is used.
  if (only === undefined) return 'none';
  throw new InvalidOptionError(
    `The plugin has several jobs. Choose one of: ${known.map(({ jobId }) => jobId).join(', ')}.`,
  );
}
