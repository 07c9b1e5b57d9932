import { type Core, LOCAL_USER } from '@recollect/core';
import { InvalidOptionError } from '../command.js';

/** The job that is meant: the given one, or the only one that a plugin has. */
export async function resolveJob({ plugins }: Core, slug: string, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const known = (await plugins.list(LOCAL_USER)).plugins.find((plugin) => plugin.slug === slug)?.jobs ?? [];
  const [only, ...others] = known;
  if (only !== undefined && others.length === 0) return only.jobId;
  // An unknown plugin, or one without jobs, is told of as that.
  if (only === undefined) return 'none';
  throw new InvalidOptionError(`Say which job: ${known.map(({ jobId }) => jobId).join(', ')}.`);
}
