import { limits } from '@recollect/contract/limits';

/** What plugins and their jobs may be called: their names become names of folders and leases. */
export const namePattern = '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$';

/** Whether a text may be the name of a plugin or a job. */
export function isPluginName(text: string): boolean {
  return text.length <= limits.plugins.slugLength && new RegExp(namePattern).test(text);
}
