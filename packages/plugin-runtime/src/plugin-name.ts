import { limits } from '@recollect/contract/limits';

/** The names allowed for plugins and jobs. They are used as names of folders and leases. */
export const namePattern = '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$';

/** Whether `text` is a valid name of a plugin or a job. */
export function isPluginName(text: string): boolean {
  return text.length <= limits.plugins.slugLength && new RegExp(namePattern).test(text);
}
